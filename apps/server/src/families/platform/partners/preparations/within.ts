import { Failure } from '../../../../failure.ts'

/**
 * Packet errors use proposal field paths. This maps them to the fields of the partner's request.
 *
 * @param at path of the packet in the request
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

/** The importing user adds the review, which is outside the packet. */
const placed = (path: string, at: string): string =>
  /^payload\.review(\.|$)/.test(path)
    ? path.slice('payload.'.length)
    : path.replace(/^payload(?=\.|$)/, at)
