// A terminal for programs that ask: what a person would type is typed once the question is there.

const script = `
import os, pty, sys
answer, command = sys.argv[1], sys.argv[2:]
pid, fd = pty.fork()
if pid == 0:
    os.execvp(command[0], command)
seen = b""
while True:
    try:
        piece = os.read(fd, 65536)
    except OSError:
        break
    if not piece:
        break
    asked = b"[y/N]" in seen
    seen += piece
    if not asked and b"[y/N]" in seen:
        os.write(fd, answer.encode() + b"\\n")
sys.stdout.buffer.write(seen.replace(b"\\r\\n", b"\\n"))
sys.stdout.flush()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

/** The command before a program that runs it in a new terminal and types an answer once it is asked. */
export function typing(answer) {
  return ["python3", "-c", script, answer];
}
