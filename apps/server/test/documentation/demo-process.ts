import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../../../', import.meta.url))

export interface DemoProcess {
  /** Everything it printed until it began to serve. */
  readonly printed: string
  /** Ends it as Ctrl-C does, and throws if it did not end cleanly. */
  readonly stop: () => Promise<void>
}

/** Starts the demo on a free port, as `npm run demo` does, and waits until it serves. */
export async function startDemoProcess(
  environment: Readonly<Record<string, string>>,
): Promise<DemoProcess> {
  // A reader does not have the environment of the tests, such as their BASE_URL and DATABASE_URL.
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, ['bin/demo.js'], {
    cwd: root,
    env: {
      PATH,
      HOME,
      PORT: '0',
      // One page stages an attack on the pool. An anomaly found there would refuse the admission of another page.
      ANOMALY_SWEEP_SECONDS: '0',
      // Pages index, pull and snapshot themselves, and expect to be the first.
      VENUE_INDEX_SECONDS: '0',
      FEED_PULL_SECONDS: '0',
      VAULT_SNAPSHOT_SECONDS: '0',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | null>((done) => child.once('close', done))
  // A hook that timed out would leave the process running.
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const printed = await new Promise<string>((done, refuse) => {
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      if (text.includes('Serving until')) done(text)
    })
    void ended.then(() => refuse(new Error(`The demo ended before it served:\n${text}`)))
  })
  return {
    printed,
    stop: async () => {
      child.kill('SIGTERM')
      const code = await ended
      process.off('exit', kill)
      if (code !== 0) throw new Error(`The demo ended with status ${code}.`)
    },
  }
}
