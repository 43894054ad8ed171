import { expect, it } from 'vitest'
import { daySeconds } from '../../../units.ts'
import type { LiveCustody } from '../treasury-custody/api.ts'
import { claimsOf } from './claims.ts'
import { type Entry, liquidityIn, provenOf, quoteLegsOf, worthOf } from './ledger.ts'
import { positionsOf } from './positions.ts'
import type { PassportSources } from './sources.ts'

const safe = `0x${'a'.repeat(40)}`
const safeKey = `eip155:1:${safe}`
const quote = `0x${'b'.repeat(40)}`
const pair = {
  chainId: 1,
  base: `0x${'c'.repeat(40)}`,
  quote,
  baseDecimals: 18,
  quoteDecimals: 6,
}

const holding = (quantity: string, purpose = 'LIQUIDITY_PROGRAM') =>
  ({
    id: quantity,
    payload: {
      entryKind: 'ASSET',
      asset: `eip155:1/erc20:${quote}`,
      purpose,
      assetClass: 'STABLE',
      container: { kind: 'SAFE', chainId: 1, address: safe },
      containerKey: safeKey,
      observed: { quantity, legs: [] },
    },
  }) as unknown as Entry
const evidence = {
  container: safeKey,
  assetKey: 'eip155:1/slip44:60',
  authority: 'SAFE',
  evidence: { id: 'one' },
  expiresAt: Date.parse('2026-02-01'),
} as unknown as LiveCustody

it('liquidity that the treasury owns is what its Safe signed for, and nothing that is asserted', () => {
  const found = liquidityIn([holding('7'), holding('5'), holding('100', 'PAYROLL')], safeKey)
  const owned = (custody: LiveCustody[]) =>
    worthOf(provenOf(found, custody), pair, { num: 1n, den: 1n })
  expect(found.map(({ id }) => id)).toEqual(['7', '5'])
  expect(owned([])).toBe(0n)
  expect(owned([{ ...evidence, container: `eip155:10:${safe}` }])).toBe(0n)
  expect(owned([evidence])).toBe(12n)
})

const leg = (token: string, quantity: string) => ({ asset: `eip155:1/erc20:${token}`, quantity })
const bothLegs = [leg(pair.base, '900'), leg(quote, '40')]
const claimOf = (legs: object[], more: object = {}) =>
  ({
    ...holding('1'),
    resourceVersion: '0x1',
    payload: {
      ...holding('1').payload,
      assetClass: 'LP_CLAIM',
      observed: { quantity: '1', legs },
      ...more,
    },
  }) as unknown as Entry

it('owned liquidity is the quote in claims, and neither the own token nor what lies idle', () => {
  const claim = claimOf(bothLegs)
  expect(quoteLegsOf([claim, holding('7'), claim], pair)).toBe(80n)
  expect(quoteLegsOf([claim], { ...pair, chainId: 10 })).toBe(0n)
})

/** A claim of the Safe, read at block 7 of its chain unless no chain was read. */
const claimRead = (chains: readonly object[], legs: object[] = bothLegs) =>
  claimOf(legs, { computation: { snapshot: { chains } } })
const block = {
  chainId: 1,
  blockNumber: 7,
  blockHash: '0x7',
  timestamp: '2026-01-01T00:00:00.000Z',
}
const generatedAt = Date.parse('2026-01-01T06:00:00Z') / 1000
const read = (chain: object, at = generatedAt) =>
  positionsOf({ ledger: ledgerOf(claimRead([chain])), pair, generatedAt: at })
const ledgerOf = (entry: Entry) => ({ entries: [entry], owned: [entry], custody: [evidence] })

it('names the block and the evidence of each position, and none if a claim was not read within a day', () => {
  expect(read(block)).toMatchObject({
    quote: `eip155:1/erc20:${quote}`,
    positions: [
      {
        quote: '40',
        container: safeKey,
        block: { chainId: 1, number: 7, hash: '0x7', timestamp: '2026-01-01T00:00:00Z' },
        control: { evidence: { id: 'one' }, until: '2026-02-01T00:00:00Z' },
      },
    ],
  })
  expect(read({ ...block, chainId: 10 })).toBeNull()
  const dayAfter = Date.parse(block.timestamp) / 1000 + daySeconds
  expect([read(block, dayAfter), read(block, dayAfter + 1)]).toEqual([expect.anything(), null])
  const sameTime = Date.parse(block.timestamp) / 1000
  expect([read(block, sameTime), read(block, sameTime - 1)]).toEqual([expect.anything(), null])
})

it('names no positions if a balance was not read on chain within a day', () => {
  const balanceRead = (chains: readonly object[]) => {
    const entry = claimOf([], { assetClass: 'STABLE', computation: { snapshot: { chains } } })
    return positionsOf({ ledger: ledgerOf(entry), pair, generatedAt })
  }
  expect(balanceRead([block])?.positions).toEqual([])
  expect(balanceRead([])).toBeNull()
  expect(balanceRead([{ ...block, chainId: 10 }])).toBeNull()
  expect(balanceRead([{ ...block, timestamp: '2025-12-31T05:59:59.000Z' }])).toBeNull()
})

it('a claim without both tokens of the pair is no liquidity of its market', () => {
  for (const legs of [[leg(quote, '40')], [leg(quote, '40'), leg(safe, '1')]]) {
    const lent = claimRead([block], legs)
    expect(quoteLegsOf([lent, claimOf(bothLegs)], pair)).toBe(40n)
    expect(positionsOf({ ledger: ledgerOf(lent), pair, generatedAt })?.positions).toEqual([])
  }
  const oneSided = claimRead([block], [leg(pair.base, '0'), leg(quote, '40')])
  expect(quoteLegsOf([oneSided], pair)).toBe(40n)
  expect(positionsOf({ ledger: ledgerOf(claimRead([block], [])), pair, generatedAt })).toBeNull()
})

it('rented liquidity is not lessened by deposits in other markets', () => {
  const lent = claimRead([block], [leg(quote, '40')])
  const venue = { id: 'venue' }
  const sources = {
    ...sourcesOf({ ...ledgerOf(lent), external: [], rentedVenueIds: ['venue'] }),
    venues: [venue],
    observations: [{ payload: { metrics: { tvlQuote: '100' } } }],
  } as unknown as PassportSources
  const depth = { mid: { num: '1', den: '1' }, rows: [], saleQuote: '0' }
  const { claims, blockers } = claimsOf(sources, depth, {
    ...disclosure,
    showTreasuryOwnership: true,
  })
  expect(blockers).toEqual([])
  expect(claims).toMatchObject({ treasuryOwnedLiquidityQuote: '0', rentedLiquidityQuote: '100' })
})

it('a passport that shows the treasury is blocked while a position was not read', () => {
  const blockersOf = (showTreasuryOwnership: boolean, chains: object[]) => {
    const sources = sourcesOf({ ...ledgerOf(claimRead(chains)), external: [], rentedVenueIds: [] })
    const depth = { mid: { num: '1', den: '1' }, rows: [], saleQuote: '0' }
    return claimsOf(sources, depth, { ...disclosure, showTreasuryOwnership }).blockers
  }
  expect(blockersOf(true, []).map(({ code }) => code)).toEqual(['POSITIONS_NOT_READ'])
  expect([blockersOf(true, [block]), blockersOf(false, [])]).toEqual([[], []])
})

const disclosure = {
  showTreasuryOwnership: false,
  showExternalManagerNames: false,
  showIncidentDetails: false,
  showPolicyLimits: false,
}
/** Sources of which nothing but the ledger matters. */
const sourcesOf = (ledger: object) =>
  ({
    vault: {
      status: 'ACTIVE',
      payload: {
        qualification: 'QUALIFIED',
        checks: [],
        pair,
        chainId: 1,
        safeAddress: safe,
        snapshot: { timestamp: '2026-01-01T00:00:00.000Z' },
      },
    },
    score: {
      payload: {
        passportClaims: { usableDepthByTradeSize: [], historicalReliabilityPips: 0 },
        window: { to: '2026-01-01T00:00:00.000Z' },
      },
    },
    proof: {},
    signer: { status: 'ACTIVE', payload: { kind: 'SIGNER_ED25519' } },

    observations: [],
    reports: [{}],
    incidents: [],
    v1Incidents: [],
    mandates: [],
    venues: [],
    receipts: [],
    reconciliation: null,
    policy: null,
    custodianNames: [],
    ledger,
    generatedAt,
    issuerName: 'DAO',
  }) as unknown as PassportSources
