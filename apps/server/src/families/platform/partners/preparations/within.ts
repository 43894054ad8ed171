import { Failure } from '../../../../failure.ts'

/**
 * Refusals of packets name members of a proposal; whoever sends something else is told where the member is in that.
 *
 * @param at path at which the packet lies
 */
export async function within<T>(at: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (cause) {
    if (!(cause instanceof Failure) || !cause.detail.fieldErrors) throw cause
    const named = Object.entries(cause.detail.fieldErrors).map(
      ([path, messages]) => [placed(path, at), messages] as const,
    )
    throw new Failure(cause.code, { ...cause.detail, fieldErrors: Object.fromEntries(named) })
  }
}

/** A review is said by whoever imports, and lies beside the packet. */
const placed = (path: string, at: string): string =>
  /^payload\.review(\.|$)/.test(path)
    ? path.slice('payload.'.length)
    : path.replace(/^payload(?=\.|$)/, at)
