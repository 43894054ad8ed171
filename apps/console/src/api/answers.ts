import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useMembership } from './queries.ts'
import { ask } from './send.ts'

/** Delay after the last slider change before the request, in milliseconds. */
const restMilliseconds = 300

export interface Answer<Data> {
  /** The last response; it belongs to an earlier request while `isStale`. */
  data: Data | undefined
  isStale: boolean
  error: unknown
  retry: () => void
}

/**
 * Sends the request when the payload stops changing; shows the previous response until the new one
 * arrives.
 *
 * @param path of the operation, below the base path
 */
export function useAnswer<Data>(path: string, payload: unknown): Answer<Data> {
  const { organizationId } = useMembership()
  const text = JSON.stringify(payload)
  const rested = useRested(text)
  const found = useQuery<Data>({
    queryKey: [organizationId, 'answers', path, rested],
    // The signal aborts a request that a later slider change made obsolete.
    queryFn: ({ signal }) =>
      ask<{ data: Data }>(
        organizationId,
        { id: path, method: 'POST', path },
        { body: { payload: JSON.parse(rested) } },
        signal,
      ).then(({ body }) => body.data),
    placeholderData: keepPreviousData,
    retry: false,
  })
  const isStale = rested !== text || found.isPlaceholderData || found.isFetching
  return {
    data: found.data,
    isStale,
    error: isStale ? null : found.error,
    retry: () => void found.refetch(),
  }
}

/** A text after it has not changed for a while. */
export function useRested(text: string): string {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    if (text === rested) return
    const timer = setTimeout(() => setRested(text), restMilliseconds)
    return () => clearTimeout(timer)
  }, [text, rested])
  return rested
}
