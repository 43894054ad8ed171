/** How long a run waits for anything, milliseconds unless the name says otherwise. */
export interface Limits {
  readonly start: number
  /** One attempt of a client; then it asks the next node. */
  readonly attempt: number
  /** All attempts of one request of a client. A killed node may take 120 s to recover. */
  readonly answer: number
  readonly maxAttempts: number
  /** Attempts of a request that is answered with a 5xx other than 503. */
  readonly maxFailedAttempts: number
  /** From when a fault begins to be mended until every node has acknowledged a change. */
  readonly recovery: number
  /** After the recovery; until then a 503 still counts as caused by the fault. */
  readonly grace: number
  /** Undisturbed work between two faults. */
  readonly calm: number
  /** One attempt of a read by the checks, and all attempts of it. */
  readonly checkAttempt: number
  readonly check: number
  /** From the last request until jobs, deliveries and the proof log have come to rest. */
  readonly rest: number
  /** All keys that are sent again. */
  readonly replays: number
  /** One command of the operator. */
  readonly command: number
  readonly stop: number
}

export const limits: Limits = {
  start: 300_000,
  attempt: 4_000,
  answer: 150_000,
  maxAttempts: 6_000,
  maxFailedAttempts: 3,
  recovery: 120_000,
  grace: 10_000,
  calm: 500,
  checkAttempt: 30_000,
  check: 90_000,
  rest: 300_000,
  replays: 900_000,
  command: 600_000,
  stop: 60_000,
}
