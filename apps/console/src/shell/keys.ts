import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/** `g` and a letter. */
const places: Readonly<Record<string, string>> = {
  h: '',
  m: 'markets',
  a: 'alerts',
  s: 'studies',
  l: 'plan',
  t: 'treasury',
  p: 'proposals',
  k: 'makers',
  e: 'proof',
  r: 'research',
  o: 'settings',
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/**
 * Ctrl-K and `/` open search; `g` plus a letter navigates. Single keys are ignored while the user
 * types or a dialog is open.
 */
export function useKeys({
  onFind,
  organizationId,
}: {
  onFind: () => void
  organizationId: string
}): void {
  const navigate = useNavigate()
  const waitsForPlace = useRef(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        onFind()
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (document.querySelector('dialog[open]')) return
      const place = waitsForPlace.current ? places[event.key] : undefined
      waitsForPlace.current = event.key === 'g'
      if (place !== undefined) void navigate({ to: `/o/${organizationId}/${place}` as never })
      else if (event.key === '/') {
        event.preventDefault()
        onFind()
      } else if (event.key === 'n') document.querySelector<HTMLElement>('[data-key="new"]')?.click()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [navigate, onFind, organizationId])
}
