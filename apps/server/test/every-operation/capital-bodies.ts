/** Requests for capital that have every member, those last that name records which are not there. */
const token = `eip155:31337/erc20:0x${'1'.repeat(40)}`
const quote = `eip155:31337/erc20:0x${'2'.repeat(40)}`
const shape = (shapeId: string, sharePips: number, one: object) => ({
  shapeId,
  sharePips,
  feePips: 3_000,
  shape: one,
})
const tickSpacing = 10
const whole = {
  label: 'Two per cent',
  token,
  quote,
  reference: { kind: 'DECLARED', priceX18: '2000000000000000000' },
  targets: [
    { side: 'BUY', movePips: 20_000, depthQuote: '100000000000000000000000' },
    { side: 'SELL', movePips: 30_000, depthQuote: '200000000000000000000000' },
  ],
  slippageTargets: [
    { tradeQuote: '500000000000000000000000', side: 'SELL', maximumAveragePips: 5_000 },
  ],
  shapes: [
    shape('range', 200_000, {
      kind: 'V3_RANGE',
      lowerMovePips: 200_000,
      upperMovePips: 250_000,
      tickSpacing,
    }),
    shape('ladder', 200_000, {
      kind: 'V3_LADDER',
      bands: [
        { fromMovePips: -100_000, toMovePips: 100_000, weightPips: 700_000 },
        { fromMovePips: -300_000, toMovePips: 300_000, weightPips: 300_000 },
      ],
      tickSpacing,
    }),
    shape('floor', 200_000, { kind: 'V3_TARGET_LADDER', tickSpacing }),
    shape('weighted', 200_000, { kind: 'WEIGHTED', tokenWeightPips: 800_000 }),
    shape('stable', 100_000, { kind: 'STABLESWAP', amplification: 100 }),
    shape('book', 100_000, { kind: 'ORDER_BOOK', inventoryMultiplePips: 3_000_000 }),
  ],
  volatility: { kind: 'DECLARED', annualPips: 800_000 },
  horizonDays: 20,
  confidencePips: 990_000,
  blockTimeSeconds: 2,
  flow: { dailyVolumeQuote: '1000000000000000000000000', netSellSharePips: 900_000 },
  budget: { token: '5000000000000000000000', quote: '7000000000000000000000' },
}
const named = (resourceType: string) => ({
  resourceType,
  id: `record_${'0'.repeat(32)}`,
  resourceVersion: `0x${'1'.repeat(64)}`,
})

export const capital: readonly object[] = [
  whole,
  // No source publishes this price, so the study is withheld.
  {
    ...whole,
    reference: { kind: 'ORACLE', providerId: 'nobody', oracleGeneration: `0x${'1'.repeat(64)}` },
    volatility: { kind: 'OBSERVED', days: 60 },
  },
  // Rejected: these records do not exist.
  {
    ...whole,
    existingDepth: { observations: [named('VenueObservation')], persistencePips: 400_000 },
  },
  { ...whole, ledgerSources: [named('TreasuryBucket')] },
]
