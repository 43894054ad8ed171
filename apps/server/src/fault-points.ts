/**
 * Named points at which a test stops a process of the service, so that a crash happens inside the window that the
 * test is about. `FAULT_POINTS=ipc` switches them on for a process that was started with an IPC channel; a
 * production process refuses it. Otherwise `reachFaultPoint` does nothing.
 *
 * The parent arms a point with `{ arm: { point, detail, pass } }`. When the process reaches the point for the
 * `pass`-th time with a detail that contains the given text, it sends `{ reached: { point, detail } }` and blocks
 * its main thread until the parent kills it: nothing runs between the point and the kill.
 */
export type FaultPoint =
  /** A group of changes is about to be written. Detail: the kinds of their events. */
  | 'commit:before-write'
  /** The group is committed and no caller knows it yet. Detail: as above. */
  | 'commit:after-write'
  /** A worker took a job and has not begun it. Detail: the kind of the job. */
  | 'job:claimed'
  /** A part of the work of a job is committed. Detail: the kind of the job. */
  | 'job:part-kept'
  /** A batch of the paths of a study is committed. Detail: `batch N`, counted from 0. */
  | 'study:batch-kept'

export interface ArmedFault {
  readonly point: FaultPoint
  /** Text that the detail must contain; empty for any detail. */
  readonly detail: string
  /** 1 for the first time that the process gets there. */
  readonly pass: number
}

export interface ReachedFault {
  readonly point: FaultPoint
  readonly detail: string
}

let reach: ((point: FaultPoint, detail: () => string) => void) | null = null

/** Stops the process here if a test asked for it. `detail` is only computed while fault points are on. */
export function reachFaultPoint(point: FaultPoint, detail: () => string): void {
  reach?.(point, detail)
}

/**
 * Listens to the parent process for points to stop at.
 *
 * @throws Error in production, or without an IPC channel
 */
export function listenForFaults(environment: NodeJS.ProcessEnv): void {
  if (environment.FAULT_POINTS === undefined) return
  const send = process.send?.bind(process)
  if (environment.FAULT_POINTS !== 'ipc' || environment.NODE_ENV === 'production' || !send) {
    throw new Error(
      'FAULT_POINTS stops the process for tests. Remove the variable; it requires FAULT_POINTS=ipc, an IPC channel and no production.',
    )
  }
  let armed: ArmedFault | null = null
  let passes = 0
  process.on('message', (message: { arm: ArmedFault }) => {
    armed = message.arm
    passes = 0
    send({ armed })
  })
  // The channel alone must not keep the process alive.
  process.channel?.unref()
  reach = (point, detail) => {
    if (armed?.point !== point) return
    const text = detail()
    if (!text.includes(armed.detail)) return
    passes += 1
    if (passes < armed.pass) return
    send({ reached: { point, detail: text } })
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  }
}
