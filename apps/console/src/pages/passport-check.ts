/** Result of a check, as the verification page sends it. */
export interface CheckResult {
  readonly pass: number
  readonly fail: number
  /** Code of each check that was not run. A code repeats if several of its checks were not run. */
  readonly notChecked: readonly string[]
  readonly integrity: Outcome
  readonly authority: Outcome
  readonly freshness: Outcome
  readonly status: Outcome
}
type Outcome = 'FAIL' | 'NOT_CHECKED' | 'PASS'

const outcomes: ReadonlySet<unknown> = new Set(['FAIL', 'NOT_CHECKED', 'PASS'])
const isCount = (value: unknown): value is number => Number.isSafeInteger(value)

/** The result in a message; null for another message. */
export function parseResult(message: unknown): CheckResult | null {
  if (typeof message !== 'object' || message === null) return null
  const { type, pass, fail, notChecked, ...kinds } = message as Record<string, unknown>
  const { integrity, authority, freshness, status } = kinds
  const isResult =
    type === 'result' &&
    isCount(pass) &&
    isCount(fail) &&
    Array.isArray(notChecked) &&
    notChecked.every((code) => typeof code === 'string') &&
    [integrity, authority, freshness, status].every((one) => outcomes.has(one))
  return isResult ? (message as CheckResult) : null
}

/** Subject of each check. */
const subjects: Readonly<Record<string, string>> = {
  B1: 'files',
  B2: 'form',
  B3: 'content hash',
  B4: 'issuer signature',
  B5: 'issuer key',
  B6: 'log entry',
  B7: 'log signature',
  B8: 'earlier log',
  B9: 'witness',
  B10: 'records',
  B11: 'figures',
  B12: 'chain',
  B13: 'results registry',
  B14: 'reports and badges',
  B15: 'validity',
}

const day = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
})

interface Passport {
  /** State of the record. */
  readonly state: string
  readonly validUntil: string
}

/** `According to the service: valid, expires Dec 5, 2026`. */
export function serviceLine({ state, validUntil }: Passport, now: number): string {
  const ends = Date.parse(validUntil)
  const isOver = state === 'EXPIRED' || ends <= now
  const text =
    state === 'REVOKED' ? 'revoked' : `${isOver ? 'expired' : 'valid, expires'} ${day.format(ends)}`
  return `According to the service: ${text}`
}

/** `Checked in this browser: 32 passed, 2 not checked (issuer key and chain)`. */
export function checkLine(result: CheckResult | null): string {
  if (result === null) return 'Not checked in this browser yet.'
  const { pass, fail, notChecked } = result
  const names = [...new Set(notChecked.map((code) => subjects[code] ?? code))]
  const counts = [
    ...(fail > 0 ? [`${fail} failed`] : []),
    `${pass} passed`,
    ...(names.length > 0 ? [`${notChecked.length} not checked (${listed.format(names)})`] : []),
  ].join(', ')
  return `${fail > 0 ? 'Do not rely on it. ' : ''}Checked in this browser: ${counts}`
}

const listed = new Intl.ListFormat('en', { style: 'long', type: 'conjunction' })
