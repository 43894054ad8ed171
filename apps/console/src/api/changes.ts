import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type Intent, intentAfter, intentFor } from '../forms/intent.ts'
import { usePlace } from './queries.ts'
import { ask } from './send.ts'

/** A POST of a page that is made for its work, and no derived form. */
export interface Post {
  /** Path below the base path. */
  path: string
  body: unknown
}

/** Sends changes one after another, each once however often it is tried; says what is wrong with the last. */
export function useChange() {
  const { organizationId } = usePlace()
  const queries = useQueryClient()
  const intents = useRef(new Map<string, Intent>())
  const [fault, setFault] = useState<unknown>(null)
  const [isSending, setSending] = useState(false)
  const post = async <Data>({ path, body }: Post): Promise<Data> => {
    const wanted = intentFor(intents.current.get(path) ?? null, JSON.stringify(body))
    intents.current.set(path, wanted)
    const operation = { id: path, method: 'POST', path, idempotency: 'key-160' } as const
    try {
      const reply = await ask<{ data: Data }>(organizationId, operation, {
        body,
        idempotencyKey: wanted.key,
      })
      intents.current.delete(path)
      return reply.body.data
    } catch (error) {
      const left = intentAfter(wanted, error)
      if (left) intents.current.set(path, left)
      else intents.current.delete(path)
      throw error
    }
  }
  /** Does the work, in which any number of changes are sent; a second call while it goes on does nothing. */
  const change = async (work: () => Promise<void>): Promise<void> => {
    if (isSending) return
    setSending(true)
    setFault(null)
    try {
      await work()
      await queries.invalidateQueries({ queryKey: [organizationId] })
    } catch (error) {
      setFault(error)
    } finally {
      setSending(false)
    }
  }
  return { change, post, fault, isSending, forget: () => setFault(null) }
}
