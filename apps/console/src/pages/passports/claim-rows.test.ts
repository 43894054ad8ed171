import type { contract } from '@liquidity-os/contract'
import { expect, it } from 'vitest'
import { claimRows, type DisclosureFlag } from './claim-rows.ts'

const quote = { symbol: 'DUSD', decimals: 18, address: `0x${'1'.repeat(40)}` }
const hash = `0x${'2'.repeat(64)}`
const named = (id: string) => ({ id, resourceVersion: hash })
const counted = (count: number) => ({ count, root: hash })

const ready = {
  vaultId: 'vault_1',
  generatedAt: '2026-01-05T12:00:00.000Z',
  latestValidUntil: '2026-01-12T00:00:00.000Z',
  claims: {
    issuerName: 'Example DAO',
    usableDepthByTradeSize: [
      { tradeSizeQuote: '1000000000000000000000', buySlippagePips: 3120, sellSlippagePips: 2990 },
    ],
    historicalReliabilityPips: 987_654,
    policyCompliancePips: null,
    reconciledPositionCount: 2,
    majorIncidentCount: 0,
    treasuryOwnedLiquidityQuote: '1500000000000000000',
    rentedLiquidityQuote: '0',
    externalManagerExposureQuote: '0',
    dataFreshnessSeconds: 60,
  },
  sourceBindings: {
    vault: named('vault_1'),
    marketQualityScore: named('score_1'),
    policy: null,
    reconciliation: named('reconciliation_1'),
    mandates: [],
    receipts: counted(0),
    anomalies: counted(1),
    ledgerEntries: counted(3),
    reports: [{ hash, source: { resourceType: 'SimulationStudy', ...named('study_1') } }],
    blocks: [{ chainId: 31337, number: 12, hash, timestamp: '2026-01-05T11:50:00Z' }],
  },
  reportBrand: null,
  claimBlockers: [],
  supersedesPassportHash: null,
  current: null,
  executionAuthorityGranted: false,
} as unknown as contract.PassportPreparation

const rowOf = (name: string, preparation = ready, flags: readonly DisclosureFlag[] = []) => {
  const row = claimRows(preparation, new Set(flags), quote).find((one) => one.name === name)
  if (!row) throw new Error(`No row ${name}.`)
  return row
}

it('states value, source and age of each claim', () => {
  expect(rowOf('Cost by trade size')).toEqual({
    name: 'Cost by trade size',
    value: '1,000 DUSD: buy 0.312\u00a0%, sell 0.299\u00a0%',
    source: { text: 'Market quality score', recordId: 'score_1', at: null },
    state: 'READY',
    note: null,
  })
  expect(rowOf('Critical incidents, 90 days')).toMatchObject({
    value: '0',
    source: { text: '1 anomaly', at: '2026-01-05T12:00:00.000Z' },
    state: 'READY',
  })
  expect(rowOf('Control of the vault').source).toEqual({
    text: 'Vault',
    recordId: 'vault_1',
    at: '2026-01-05T11:50:00Z',
  })
  expect(rowOf('Liquidity by owner', ready, ['showTreasuryOwnership']).value).toBe(
    'Owned 1.5 DUSD, rented 0 DUSD, with external managers 0 DUSD',
  )
})

it('tells missing data from claims that the issuer does not disclose', () => {
  expect(rowOf('Policy compliance')).toMatchObject({
    value: null,
    state: 'NO_DATA',
    note: 'No executions in 90 days',
  })
  expect(rowOf('Liquidity by owner')).toMatchObject({
    value: null,
    source: null,
    state: 'WITHHELD',
  })
  expect(rowOf('Policy limits', ready, ['showPolicyLimits'])).toMatchObject({
    state: 'NO_DATA',
    note: 'No policy is active',
  })
})

it('marks the claims that a blocker prevents', () => {
  const blocked = {
    ...ready,
    claims: null,
    sourceBindings: null,
    claimBlockers: [{ code: 'SCORE_NOT_ACTIVE', detail: '' }],
  }
  expect(rowOf('Reliability', blocked)).toMatchObject({ value: null, state: 'BLOCKED' })
  expect(rowOf('Issuer', blocked)).toMatchObject({ value: null, state: 'WAITING' })
})
