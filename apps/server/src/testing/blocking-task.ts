/** Keeps its thread for a while. @returns the same milliseconds */
export default function block({ milliseconds }: { milliseconds: number }): number {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
  return milliseconds
}
