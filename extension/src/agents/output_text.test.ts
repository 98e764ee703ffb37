// Nothing that a run says may be obeyed by a terminal.

import assert from "node:assert/strict";
import { test } from "node:test";
import { OutputText } from "./output_text";

const esc = "\u001b";

function check(said: string, shown: string): void {
  assert.equal(new OutputText().take(said), shown, JSON.stringify(said));
  // However it is cut, it is the same.
  const text = new OutputText();
  assert.equal(
    Array.from(said)
      .map((character) => text.take(character))
      .join(""),
    shown,
    `${JSON.stringify(said)} in pieces`,
  );
}

test("text stays as it is, with lines ended for a terminal", () => {
  check("", "");
  check("héllo 👨‍👩‍👧 ✓", "héllo 👨‍👩‍👧 ✓");
  check("a\nb\r\nc\rd\n\ne", "a\r\nb\r\nc\r\nd\r\n\r\ne");
  check("a\tb", "a    b");
  check("a\u2028b", "a\r\nb");
});

test("escape sequences are left out whole", () => {
  check(`${esc}[31mred${esc}[0m`, "red");
  check(`${esc}[2J${esc}[1;1Hgone?`, "gone?");
  check(`${esc}[?1049h${esc}[>4;2mx`, "x");
  check(`${esc}(0lq${esc}(Bx${esc}7y${esc}c`, "lqxy");
  check(`${esc}${esc}[31mx`, "x");
  check("\u009b31mx\u009d0;title\u0007y", "xy");
});

test("titles, links and clipboards are not set", () => {
  check(`${esc}]0;title\u0007a`, "a");
  check(`${esc}]52;c;ZXZpbA==${esc}\\a`, "a");
  check(`${esc}]8;;command:evil${esc}\\go${esc}]8;;${esc}\\`, "go");
  check(`${esc}P1$r0m${esc}\\a${esc}_apc${esc}\\b${esc}^pm${esc}\\c${esc}Xsos${esc}\\d`, "abcd");
});

test("what never ends hides no more than its line", () => {
  check(`${esc}]0;forgotten\nthe next line`, "\r\nthe next line");
  check(`${esc}[12\nnext`, "\r\nnext");
  assert.ok(new OutputText().take(`${esc}]0;${"x".repeat(10_000)}end`).endsWith("xend"));
});

test("other control and direction characters are left out", () => {
  check("a\u0000\u0008\u0007\u007f\u0085b\u202ec\u2066d", "abcd");
});
