import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

const beatMilliseconds = 1_000

/** Watches the event loop that the service and the fuzzer share. */
export interface Watchdog {
  /** Notes the request that is sent next. */
  readonly noteRequest: (request: string) => void
  /** Notes the report so far. */
  readonly noteReport: (report: string) => void
}

export type Message = { readonly request?: string; readonly report?: string }

/**
 * Ends the process with its last report if the event loop is blocked for too long: then no timer and no signal handler runs.
 * A thread of its own does that.
 */
export async function startWatchdog(maxBlockedMilliseconds: number): Promise<Watchdog> {
  const thread = new Worker(new URL('./watchdog-thread.ts', import.meta.url), {
    workerData: maxBlockedMilliseconds,
    execArgv: [],
  })
  // A thread cannot start while the main thread is blocked.
  await once(thread, 'message')
  thread.unref()
  const post = (message: Message) => thread.postMessage(message)
  setInterval(() => post({}), beatMilliseconds).unref()
  return {
    noteRequest: (request) => post({ request }),
    noteReport: (report) => post({ report }),
  }
}
