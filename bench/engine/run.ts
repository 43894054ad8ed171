import { type Benchmarks, runBenchmarks } from '../command.ts'

const benchmarks: Benchmarks = {
  'swaps-a': async () => (await import('./swaps.ts')).swapsA,
  'swaps-s': async () => (await import('./swaps.ts')).swapsS,
  quotes: async () => (await import('./quotes.ts')).quotes,
  replay: async () => (await import('./replay.ts')).replay,
  'replay-heap': async () => (await import('./replay-heap.ts')).replayHeap,
  'replay-study': async () => (await import('./replay-study.ts')).replayStudy,
  'monte-carlo': async () => (await import('./monte-carlo.ts')).monteCarlo,
  curves: async () => (await import('./curves.ts')).curves,
}

await runBenchmarks('npm run bench:engine', benchmarks)
