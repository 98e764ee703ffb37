// A terminal for programs that ask: what a person would type is typed once the question is there.

const script = `
import json, os, pty, sys
steps, command = json.loads(sys.argv[1]), sys.argv[2:]
pid, fd = pty.fork()
if pid == 0:
    os.execvp(command[0], command)
seen, heard = b"", 0
while True:
    try:
        piece = os.read(fd, 65536)
    except OSError:
        break
    if not piece:
        break
    seen += piece
    sys.stdout.buffer.write(piece.replace(b"\\r", b""))
    sys.stdout.flush()
    while steps and steps[0][0].encode() in seen[heard:]:
        question, answer, *files = steps.pop(0)
        for path, text in files[0].items() if files else ():
            with open(path, "w") as file:
                file.write(text)
        heard = seen.index(question.encode(), heard) + len(question.encode())
        os.write(fd, answer.encode() + b"\\n")
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

/** The command before a program that runs it in a new terminal and types an answer once it is asked. */
export function typing(answer) {
  return typingAt(["[y/N]", answer]);
}

/**
 * The same with several answers, each typed once what stands before it was printed; files that stand behind it are written
 * between the two.
 */
export function typingAt(...steps) {
  return ["python3", "-c", script, JSON.stringify(steps)];
}
