/**
 * Aborts on SIGINT, on SIGTERM and on an error that nothing catches, so that a run ends with its report. A second
 * SIGINT ends the process at once.
 */
export function interruption(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => controller.abort(new Error(`${signal} ended the run`)))
  }
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => controller.abort(error))
  }
  return controller.signal
}

/** Rejects with the reason once the signal aborts. */
export function aborted(signal: AbortSignal): Promise<never> {
  const rejected = new Promise<never>((_, refuse) => {
    if (signal.aborted) refuse(signal.reason)
    else signal.addEventListener('abort', () => refuse(signal.reason), { once: true })
  })
  // The run may have ended before anything waits for this.
  rejected.catch(() => {})
  return rejected
}
