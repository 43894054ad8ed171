import { type Benchmarks, runBenchmarks } from './command.ts'

const benchmarks: Benchmarks = {
  'durable-mutation': async () => (await import('./durable-mutation.ts')).durableMutation,
  'embedded-mutation': async () => (await import('./embedded-mutation.ts')).embeddedMutation,
  'authenticated-read': async () => (await import('./authenticated-read.ts')).authenticatedRead,
  'canonical-hash': async () => (await import('./canonical-hash.ts')).canonicalHash,
  'v3-swaps': async () => (await import('./v3-swaps.ts')).v3Swaps,
  ready: async () => (await import('./ready.ts')).ready,
  'embedded-start': async () => (await import('./embedded-start.ts')).embeddedStart,
  studies: async () => (await import('./studies.ts')).studies,
  'first-interval': async () => (await import('./first-interval.ts')).firstInterval,
  allocation: async () => (await import('./allocation.ts')).allocation,
  execution: async () => (await import('./execution.ts')).execution,
  scores: async () => (await import('./scores.ts')).scores,
  anomalies: async () => (await import('./anomalies.ts')).anomalies,
  books: async () => (await import('./books.ts')).books,
  incentives: async () => (await import('./incentives.ts')).incentives,
  indexing: async () => (await import('./indexing.ts')).indexing,
  neighbours: async () => (await import('./neighbours.ts')).neighbours,
  'proof-log': async () => (await import('./proof-log.ts')).proofLog,
  endurance: async () => (await import('./endurance.ts')).endurance,
  'market-points': async () => (await import('./market-points.ts')).marketPoints,
  exports: async () => (await import('./exports.ts')).exports,
  history: async () => (await import('./history.ts')).history,
}

await runBenchmarks('npm run bench', benchmarks)
