import { contract } from '@liquidity-os/contract'
import type { ReplayStudy } from '@liquidity-os/engine/study'

/** Maximum blocks that an error names. */
const namedBlocks = 5

/** The base fees do not cover the blocks in which a candidate could act. */
export class BaseFeesError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'BaseFeesError'
  }
}

/**
 * Base fees of a study that charges each action with the fee of its block. The study assigns an
 * action between two events to the block of the earlier one.
 *
 * @throws BaseFeesError if a block with an event has no fee
 */
export function blockBaseFees(
  costs: contract.SimulationCosts | null,
  events: Iterable<{ readonly block: number }>,
): Pick<ReplayStudy, 'baseFees'> {
  if (costs === null || !('baseFees' in costs.gas)) return {}
  const baseFees = costs.gas.baseFees.map(({ block, wei }) => ({ block, wei: BigInt(wei) }))
  const blocks = new Set<number>()
  for (const { block } of events) blocks.add(block)
  requireFees(blocks, new Set(baseFees.map(({ block }) => block)))
  return { baseFees }
}

function requireFees(blocks: ReadonlySet<number>, known: ReadonlySet<number>): void {
  const missing = [...blocks].filter((block) => !known.has(block))
  if (missing.length === 0) return
  const { maxBaseFees } = contract
  if (blocks.size > maxBaseFees) {
    throw new BaseFeesError(
      `must have a base fee for each block with an event, at most ${maxBaseFees}, and the window has ${blocks.size} such blocks; shorten the window or use constantWei`,
    )
  }
  const named = missing.slice(0, namedBlocks).join(', ')
  const more = missing.length > namedBlocks ? ` and ${missing.length - namedBlocks} more` : ''
  throw new BaseFeesError(
    `must have a base fee for each block with an event, missing ${named}${more}`,
  )
}
