import { execFile } from 'node:child_process'
import { expect, it } from 'vitest'

it('ends a process that is blocked, with its last report and request', async () => {
  const module = new URL('./watchdog.ts', import.meta.url)
  const program = `
    import { startWatchdog } from '${module}'
    const watchdog = await startWatchdog(1_000)
    watchdog.noteReport('seed 24')
    watchdog.noteRequest('createVenues')
    for (;;);`
  const { output, signal } = await new Promise<{ output: string; signal: string | null }>(
    (done) => {
      const options = { timeout: 30_000 }
      const child = execFile(
        process.execPath,
        ['--input-type=module', '--eval', program],
        options,
        (_, stdout) => done({ output: stdout, signal: child.signalCode }),
      )
    },
  )
  expect(output).toBe(
    'seed 24\nthe service blocked the event loop for 1 s; the last request: createVenues\n',
  )
  expect(signal).toBe('SIGKILL')
})
