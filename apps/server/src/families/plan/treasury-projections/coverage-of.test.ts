import { describe, expect, it } from 'vitest'
import type { LiveCustody } from '../../prove/treasury-custody/api.ts'
import { coverageBy } from './coverage-of.ts'
import type { Entry } from './read-sources.ts'

const address = `0x${'a'.repeat(40)}`
const assetKey = `eip155:1/erc20:0x${'b'.repeat(40)}`

const holding = (label: string, quantity: string | null, value: string | null = null): Entry =>
  ({
    id: label,
    resourceType: 'TreasuryBucket',
    createdAt: '2026-01-01T00:00:00Z',
    payload: {
      entryKind: 'ASSET',
      label,
      asset: assetKey,
      tier: 'T2',
      purpose: 'RUNWAY_RESERVE',
      container: { kind: 'SAFE', chainId: 1, address },
      observed: quantity === null ? null : { quantity, proof: 'MERKLE', evidenceHash: '0x1' },
      split: { unrestricted: quantity, restricted: '0', reserved: '0' },
      value: value === null ? null : { quoteKey: 'iso4217:USD', amount: value },
      computation: { snapshot: null, gaps: [] },
    },
  }) as unknown as Entry

const evidence = (quantity: bigint) =>
  [
    {
      container: `eip155:1:${address}`,
      assetKey,
      quantity,
      evidence: { id: 'one' },
      authority: 'EOA',
      expiresAt: Date.parse('2026-02-01'),
    },
  ] as never[]

const coverage = (custody: readonly LiveCustody[], ...entries: Entry[]) => {
  const { uncovered, coveredPips } = coverageBy(custody, entries, Date.parse('2026-01-02'))
  return [uncovered, coveredPips]
}

describe('live custody evidence supports', () => {
  it('a holding without a value for the share of its quantity, rounded down', () => {
    expect(coverage(evidence(2n), holding('Own', '3'))).toEqual([[], 666_666])
    expect(coverage(evidence(3n), holding('Own', '3'))).toEqual([[], 1_000_000])
  })

  it('two holdings of one container once', () => {
    const both = [holding('One', '3'), holding('Two', '3')] as const
    expect(coverage(evidence(3n), ...both)).toEqual([[], 500_000])
  })

  it('an unpriced holding next to a priced one; the smaller share counts', () => {
    const both = [holding('Priced', '1', '100'), holding('Own', '4')] as const
    expect(coverage(evidence(1n), ...both)).toEqual([[], 250_000])
  })

  it('nothing where it says that nothing is there, or nothing was observed', () => {
    expect(coverage(evidence(0n), holding('Own', '3'))).toEqual([['Own'], 0])
    expect(coverage([], holding('Own', '3'))).toEqual([['Own'], 0])
    expect(coverage(evidence(3n), holding('Unseen', null))).toEqual([[], 0])
  })
})
