import { explain } from './explain.ts'
import { serve } from './serve.ts'

/** `serve` is what a deployment waits for, so it does not load the other commands first. */
const isPlainServe = process.argv.length === 3 && process.argv[2] === 'serve'
if (isPlainServe) {
  try {
    await serve()
  } catch (error) {
    process.exitCode = explain(error)
  }
} else await import('./main.ts')
