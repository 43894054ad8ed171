import { explain } from './explain.ts'

/**
 * Startup time of `serve` matters to a deployment, so it skips loading the other commands. They in
 * turn skip loading the service.
 */
const isPlainServe = process.argv.length === 3 && process.argv[2] === 'serve'
if (isPlainServe) {
  try {
    const { serve } = await import('./serve.ts')
    await serve(process.env)
  } catch (error) {
    process.exitCode = explain(error, process.stderr)
  }
} else {
  // A reader that has seen enough, such as head, is no fault.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit()
  })
  const { runCommandLine } = await import('./main.ts')
  const { env: environment, stdin, stdout, stderr } = process
  process.exitCode = await runCommandLine(process.argv.slice(2), {
    environment,
    stdin,
    stdout,
    stderr,
  })
}
