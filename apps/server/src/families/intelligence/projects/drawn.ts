import type { contract } from '@liquidity-os/contract'

export type Reading = contract.ProjectObservation

/** Number of readings in a chart. */
export const readingsShown = 24

/** A followed token with its newest readings, oldest first. */
export interface DrawnProject {
  readonly label: string
  readonly readings: readonly Reading[]
}
