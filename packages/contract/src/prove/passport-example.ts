import type { LiquidityPassport } from './passport-payload.ts'

const hash = (digit: string): string => `0x${digit.repeat(64)}`
const named = (prefix: string, digit: string) => ({
  id: `${prefix}_0198f0f0c0de7000800000000000a001`,
  resourceVersion: hash(digit),
})

/** A complete passport; its hash and signature do not match these claims. */
export const passportExample: LiquidityPassport = {
  passportVersion: 'liquidity-passport-v1',
  artifactRendererVersion: 'liquidity-passport-artifacts-v2',
  signatureAlgorithm: 'Ed25519',
  signerProviderId: 'issuer-key',
  signerKeyResourceVersion: hash('1'),
  slug: 'example-token',
  vaultId: 'vault_example',
  issuerName: 'Example organization',
  generatedAt: '2026-01-05T12:00:00Z',
  validUntil: '2026-01-10T12:00:00Z',
  usableDepthByTradeSize: [
    { tradeSizeQuote: '10000000000000000', buySlippagePips: 3100, sellSlippagePips: 3100 },
  ],
  historicalReliabilityPips: 1_000_000,
  policyCompliancePips: null,
  reconciledPositionCount: 0,
  majorIncidentCount: 0,
  dataFreshnessSeconds: 600,
  disclosure: {
    showTreasuryOwnership: false,
    showExternalManagerNames: false,
    showIncidentDetails: false,
    showPolicyLimits: false,
  },
  reportHashes: [hash('2')],
  sourceBindings: {
    bindingsVersion: 'liquidity-passport-sources-v1',
    vault: named('vault', '3'),
    controlEpoch: '1',
    marketQualityScore: named('score', '4'),
    policy: null,
    reconciliation: null,
    venueObservations: [named('venue_observation', '5')],
    mandates: [],
    receipts: {
      count: 0,
      root: '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    },
    anomalies: {
      count: 0,
      root: '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    },
    ledgerEntries: { count: 1, root: hash('6') },
    reports: [
      { hash: hash('2'), source: { resourceType: 'SimulationStudy', ...named('study', '7') } },
    ],
    signerProvider: named('provider', '1'),
    adapterReleaseHash: null,
    engineVersion: '0.1.0',
    blocks: [{ chainId: 31_337, number: 240, hash: hash('8'), timestamp: '2026-01-05T11:59:00Z' }],
    keys: { service: '9'.repeat(64), log: 'a'.repeat(64), registry: null },
  },
  contentHash: hash('b'),
  signature: `${'A'.repeat(86)}==`,
  marketQualityScoreId: 'score_0198f0f0c0de7000800000000000a001',
}
