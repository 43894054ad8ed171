import type { contract } from '@liquidity-os/contract'
import type { ReplayStudy } from '@liquidity-os/engine/study'

/** Maximum blocks that an error names. */
const namedBlocks = 5

/** Blocks in which a candidate could act have no base fee. */
export class BaseFeesMissingError extends Error {
  constructor(missing: readonly number[]) {
    const named = missing.slice(0, namedBlocks).join(', ')
    const more = missing.length > namedBlocks ? ` and ${missing.length - namedBlocks} more` : ''
    super(`must have a base fee for each block with an event, missing ${named}${more}`)
    this.name = 'BaseFeesMissingError'
  }
}

/**
 * Base fees of a study that charges each action with the fee of its block. The study assigns an
 * action between two events to the block of the earlier one.
 *
 * @throws BaseFeesMissingError if a block with an event has no fee
 */
export function blockBaseFees(
  costs: contract.SimulationCosts | null,
  events: Iterable<{ readonly block: number }>,
): Pick<ReplayStudy, 'baseFees'> {
  if (costs === null || !('baseFees' in costs.gas)) return {}
  const baseFees = costs.gas.baseFees.map(({ block, wei }) => ({ block, wei: BigInt(wei) }))
  const known = new Set(baseFees.map(({ block }) => block))
  const missing = new Set<number>()
  for (const { block } of events) if (!known.has(block)) missing.add(block)
  if (missing.size > 0) throw new BaseFeesMissingError([...missing])
  return { baseFees }
}
