import { type ReactNode, useEffect, useState } from 'react'
import { ApiFailure } from '../api/send.ts'
import { Button } from './button.tsx'
import { Icon } from './icons.tsx'
import styles from './ui.module.css'

type Tone = 'bad' | 'warn' | 'hold' | 'good' | 'live'
const icons: Readonly<Record<Tone, string>> = {
  bad: 'circle-alert',
  warn: 'triangle-alert',
  hold: 'circle-dashed',
  good: 'check',
  live: 'circle-dot',
}

export function Notice({
  tone,
  title,
  children,
}: {
  tone: Tone
  title: string
  children?: ReactNode
}) {
  return (
    <div className={`${styles.notice} ${styles[tone]}`} role={tone === 'bad' ? 'alert' : undefined}>
      <Icon name={icons[tone]} />
      <div>
        <strong>{title}</strong>
        {children}
      </div>
    </div>
  )
}

/** The failure, its remedy, and the reference for support. */
export function Fault({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const wait = useCountdown(error)
  if (!(error instanceof ApiFailure)) {
    return (
      <Notice tone="bad" title="The service is unreachable">
        <p>
          {error instanceof TypeError
            ? 'No response. Check your network, or wait for the service to start.'
            : String(error)}
        </p>
        {onRetry ? (
          <p>
            <Button icon="arrow-right" onClick={onRetry}>
              Retry
            </Button>
          </p>
        ) : null}
      </Notice>
    )
  }
  const problem = error.body?.error
  const canRetry = onRetry && (problem?.retryable || error.status === 429)
  return (
    <Notice tone="bad" title={problem?.message ?? `The service returned status ${error.status}.`}>
      {problem?.remediation ? <p>{problem.remediation}</p> : null}
      {problem?.fieldErrors ? (
        <ul>
          {Object.entries(problem.fieldErrors).map(([field, faults]) => (
            <li key={field}>
              <code>{field}</code> {faults.join(', ')}
            </li>
          ))}
        </ul>
      ) : null}
      <p className={styles.meta}>
        <code>{error.code}</code> · <code>{problem?.correlationId}</code>
      </p>
      {canRetry ? (
        <p>
          <Button
            onClick={onRetry}
            disabledReason={wait > 0 ? `Rate limit reached. Retry in ${wait} s.` : null}
          >
            Retry
          </Button>
        </p>
      ) : null}
    </Notice>
  )
}

/** Retry delay from the service in seconds, counted down. */
function useCountdown(error: unknown): number {
  const requested = error instanceof ApiFailure ? Number(error.headers.get('retry-after') ?? 0) : 0
  const [secondsLeft, setSecondsLeft] = useState(requested)
  useEffect(() => {
    setSecondsLeft(requested)
    if (requested <= 0) return
    const timer = setInterval(() => setSecondsLeft((now) => Math.max(now - 1, 0)), 1000)
    return () => clearInterval(timer)
  }, [requested])
  return secondsLeft
}
