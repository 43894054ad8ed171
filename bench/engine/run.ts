import { type Benchmarks, runBenchmarks } from '../command.ts'

const benchmarks: Benchmarks = {
  'swaps-a': async () => (await import('./swaps.ts')).swapsA,
  'swaps-s': async () => (await import('./swaps.ts')).swapsS,
  'monte-carlo': async () => (await import('./monte-carlo.ts')).monteCarlo,
}

await runBenchmarks('npm run bench:engine', benchmarks)
