/** A section of the guide: its title, and the paths of its pages below `docs` without extension. */
export interface Section {
  readonly title: string
  readonly pages: readonly string[]
}

/**
 * Reading order of the pages. A test compares it with the folder: each page appears exactly once.
 */
export const sections: readonly Section[] = [
  {
    title: 'Getting started',
    pages: [
      ...['getting-started', 'concepts', 'console', 'client', 'command-line'],
      ...['examples/launch', 'examples/mature-day', 'examples/long-stream'],
    ],
  },
  { title: 'Walkthroughs', pages: ['launch-decision', 'words-to-safe'] },
  {
    title: 'Plan',
    pages: [
      ...['strategies', 'packages', 'treasury-assumptions', 'books', 'capital', 'stress'],
      ...['unlocks', 'intents', 'launch-plans'],
    ],
  },
  { title: 'Simulate', pages: ['studies', 'allocation', 'migration', 'incentives', 'reports'] },
  {
    title: 'Operate',
    pages: [
      ...['venues', 'prices', 'exports', 'alerts', 'vaults', 'policies', 'proposals'],
      ...['protected-execution', 'decision-packs', 'market-makers'],
    ],
  },
  {
    title: 'Intelligence',
    pages: ['scores', 'market-map', 'anomalies', 'attribution', 'research', 'discovery'],
  },
  { title: 'Prove', pages: ['proof', 'passports'] },
  { title: 'Platform', pages: ['platform', 'partners', 'operations', 'errors'] },
  {
    title: 'Administration',
    pages: [
      ...['deploy', 'operations-guide', 'rpc-nodes', 'runbooks', 'security-model', 'reliability'],
      ...[
        'growth',
        'benchmarks',
        'engine',
        'engine-speed',
        'replay-format',
        'adding-a-family',
        'charts',
      ],
    ],
  },
  {
    title: 'Methodology',
    pages: [
      'README',
      ...['constant-product', 'concentrated-liquidity', 'stableswap', 'order-book', 'routing'],
      ...['depth-and-slippage', 'fill-costs', 'engine-parity', 'replay-and-fidelity'],
      ...['flow-models', 'price-models', 'monte-carlo', 'study-waterfalls', 'risk-measures'],
      ...['statistics', 'strategies', 'allocation', 'migration-simulation', 'incentive-response'],
      ...[
        'observations',
        'market-quality-score',
        'anomaly-detector',
        'wash-trades',
        'market-makers',
        'research',
      ],
      ...['capital', 'launch-mechanisms', 'treasury-projections', 'treasury-stress'],
      ...['decision-packs', 'vaults', 'policies', 'proposals', 'protected-execution', 'partners'],
      ...['public-readings', 'evidence-and-hashes', 'proof-log', 'passport-verification'],
    ].map((name) => `methodology/${name}`),
  },
]
