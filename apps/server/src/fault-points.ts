/**
 * Named points where a test stops a service process, so that a crash happens inside a specific
 * window. `FAULT_POINTS=ipc` enables them for a process with an IPC channel; production processes
 * reject it. Otherwise `reachFaultPoint` has no effect.
 *
 * The parent arms a point with `{ arm: { point, detail, pass } }`. The process stops at the
 * `pass`-th visit whose detail contains the given text. It sends `{ reached: { point, detail } }`
 * and blocks its main thread until the parent kills it. No code runs between the point and the
 * kill.
 */
export type FaultPoint =
  /** A group of changes is about to be written. Detail: the kinds of their events. */
  | 'commit:before-write'
  /** The group is committed and no caller knows it yet. Detail: as above. */
  | 'commit:after-write'
  /** A worker took a job and has not started it. Detail: the kind of the job. */
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

/**
 * Stops the process here if a test requested it. Computes `detail` only while fault points are
 * enabled.
 */
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
      'FAULT_POINTS stops the process in tests and requires FAULT_POINTS=ipc, an IPC channel and a non-production environment. Remove the variable.',
    )
  }
  let armed: ArmedFault | null = null
  let passes = 0
  process.on('message', (message: { arm: ArmedFault }) => {
    armed = message.arm
    passes = 0
    send({ armed })
  })
  // The IPC channel alone must not prevent process exit.
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
