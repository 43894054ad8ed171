import { expect, it } from 'vitest'
import { foldEmail, isEmail } from './email-address.ts'

it('takes addresses as people have them, in one form', () => {
  for (const text of ['a@b', 'Ada@Example.org', 'bücher@exämple.de', 'a+b@c.d']) {
    expect([text, isEmail(text)]).toEqual([text, true])
  }
  expect(foldEmail(' ADA@Example.ORG ')).toBe('ada@example.org')
  expect(foldEmail('e\u0301@example.org')).toBe('\u00e9@example.org')
})

it.each([
  ['nothing', ''],
  ['no host', 'a@'],
  ['two hosts', 'a@b@c'],
  ['a space', 'a b@c'],
  ['a space at its end', 'a@b '],
  ['a line', 'a@b\r\nBcc: c@d'],
  ['a list', 'a@b,c@d'],
  ['a name', 'A <a@b>'],
  ['a control character', 'a\u0001@b'],
  ['text that reads backwards', 'a\u202eb@c'],
  ['an isolate', 'a\u2066b@c'],
  ['a sign of no width', 'a\u200bb@c'],
  ['a soft hyphen', 'a\u00adb@c'],
  ['too much', `${'a'.repeat(253)}@b`],
])('refuses %s', (_what, text) => {
  expect(isEmail(text)).toBe(false)
})
