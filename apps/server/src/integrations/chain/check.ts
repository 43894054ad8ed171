/** An on-chain check, stored as evidence. */
export type Check = {
  readonly code: string
  readonly ok: boolean
  readonly expected: string
  readonly observed: string
}

/** A check that two values are equal; text is compared without regard to case, as addresses are. */
export function checkEqual(
  code: string,
  expected: string | number | boolean,
  observed: string | number | boolean,
): Check {
  const ok = String(expected).toLowerCase() === String(observed).toLowerCase()
  return { code, ok, expected: String(expected), observed: String(observed) }
}
