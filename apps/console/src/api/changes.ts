import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type Intent, intentAfter, intentFor } from '../forms/intent.ts'
import { useMembership } from './queries.ts'
import { ask } from './send.ts'

/** A POST by a custom page, without a generated form. */
export interface Post {
  /** Path below the base path. */
  path: string
  body: unknown
}

/** A change of a record, against the version that the user sees. */
export interface Change extends Post {
  method: 'POST' | 'PATCH'
  ifMatch?: string
}

/**
 * Sends changes one by one, each exactly once across retries. Reports the error of the last change.
 */
export function useChange() {
  const { organizationId } = useMembership()
  const queries = useQueryClient()
  const intents = useRef(new Map<string, Intent>())
  const [fault, setFault] = useState<unknown>(null)
  const [isSending, setSending] = useState(false)
  const send = async <Data>({ method, path, body, ifMatch }: Change): Promise<Data> => {
    const target = `${method} ${path}`
    const wanted = intentFor(
      intents.current.get(target) ?? null,
      JSON.stringify([body, ifMatch ?? null]),
    )
    intents.current.set(target, wanted)
    const operation = { id: path, method, path, idempotency: 'key-160' } as const
    const request = { body, idempotencyKey: wanted.key }
    try {
      const reply = await ask<{ data: Data }>(
        organizationId,
        operation,
        ifMatch === undefined ? request : { ...request, ifMatch },
      )
      intents.current.delete(target)
      return reply.body.data
    } catch (error) {
      const pendingIntent = intentAfter(wanted, error)
      if (pendingIntent) intents.current.set(target, pendingIntent)
      else intents.current.delete(target)
      throw error
    }
  }
  const post = <Data>(wanted: Post): Promise<Data> => send<Data>({ method: 'POST', ...wanted })
  /** Runs work that can send several changes. Ignores a second call while the first runs. */
  const change = async (work: () => Promise<void>): Promise<void> => {
    if (isSending) return
    setSending(true)
    setFault(null)
    try {
      await work()
      await queries.invalidateQueries({ queryKey: [organizationId] })
    } catch (error) {
      setFault(error)
      // The service may have applied earlier changes. A slow refetch must not delay the retry.
      void queries.invalidateQueries({ queryKey: [organizationId] })
    } finally {
      setSending(false)
    }
  }
  return { change, send, post, fault, isSending, forget: () => setFault(null) }
}
