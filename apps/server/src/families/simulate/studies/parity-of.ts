import type { contract } from '@liquidity-os/contract'
import type { StableVariant } from '@liquidity-os/engine/amm'
import { lastParityRun, marketSourceHash } from '@liquidity-os/engine/build-hash'
import type { Static } from 'typebox'

type Parity = Static<typeof contract.StudyResult>['parity']

/**
 * Parity evidence for a market. The stored run must match the market mathematics of the current
 * build.
 */
export function parityOf(market: 'UNISWAP_V2' | 'UNISWAP_V3' | StableVariant): Parity {
  const run = lastParityRun()
  if (run?.marketSourceHash !== marketSourceHash() || run.divergences !== 0) {
    return {
      verdict: 'UNVERIFIED',
      basis:
        'No run against the genuine bytecode is kept for the market mathematics of this build.',
    }
  }
  if (market !== 'UNISWAP_V2' && market !== 'UNISWAP_V3') {
    const recorded = run.stableSwap?.[market]
    if (!recorded) {
      return { verdict: 'UNVERIFIED', basis: `No recorded calls of ${market} are kept.` }
    }
    const { verdict, calls, exact, pinned } = recorded
    return {
      verdict,
      basis: `${exact} of ${calls} recorded calls of ${market} equal, ${pinned} of them pinned to a block; see docs/methodology/engine-parity.md.`,
    }
  }
  return {
    verdict: 'VERIFIED',
    basis: `${run.sequences} random operation sequences on genuine Uniswap bytecode, ${run.operations} operations and ${run.fields} storage fields equal, seeds from ${run.firstSeed}; see docs/methodology/engine-parity.md.`,
  }
}
