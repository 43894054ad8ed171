/** How long a run waits for anything, and how long its parts last, in milliseconds. */
export interface Limits {
  /** The checkout of the release before, with its packages. */
  readonly checkout: number
  /** PostgreSQL, the schema, a node and an organization. */
  readonly start: number
  readonly migration: number
  /** From SIGTERM until the process has ended. */
  readonly end: number
  /** One request. A later answer counts as none. */
  readonly answer: number
  /** From the last request until every job has ended. */
  readonly jobs: number
  /** One command of the operator. */
  readonly command: number
  /** Ending the processes and removing the checkout, which has tens of thousands of files. */
  readonly stop: number
  /** Load on the node of the release before, alone, before and after the migration. */
  readonly before: number
  /** Load on the new node alone, after the other was stopped. */
  readonly alone: number
  /** Load on both after the node of the release before was started again. */
  readonly again: number
}

export const limits: Limits = {
  checkout: 300_000,
  start: 300_000,
  migration: 180_000,
  end: 60_000,
  answer: 30_000,
  jobs: 180_000,
  command: 600_000,
  stop: 240_000,
  before: 3_000,
  alone: 5_000,
  again: 4_000,
}
