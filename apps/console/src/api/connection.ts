import { useSyncExternalStore } from 'react'

/** Start of the outage; null while the service is reachable. */
let awaySince: number | null = null
const listeners = new Set<() => void>()

export function reportConnection(isThere: boolean): void {
  const next = isThere ? null : (awaySince ?? Date.now())
  if (next === awaySince) return
  awaySince = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useAwaySince = (): number | null => useSyncExternalStore(subscribe, () => awaySince)
