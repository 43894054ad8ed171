import { type ReactNode, useState } from 'react'
import { ageOf, minuteOf, utcOf } from '../fields/numbers.ts'
import { Button } from './button.tsx'
import styles from './ui.module.css'

/** Placeholder with the size of the expected content; invisible for the first 150 ms. */
export function Skeleton({ lines = 6 }: { lines?: number }) {
  const widths = ['60%', '90%', '75%', '85%', '55%', '80%', '70%', '65%']
  return (
    <div className={styles.skeleton} role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have nothing else to tell them apart
        <span key={line} style={{ inlineSize: widths[line % widths.length] }} />
      ))}
    </div>
  )
}

export function Panel({
  title,
  note,
  actions,
  children,
  isFlush = false,
}: {
  title?: ReactNode
  note?: ReactNode
  actions?: ReactNode
  children: ReactNode
  isFlush?: boolean
}) {
  return (
    <section className={styles.panel}>
      {title ? (
        <header className={styles.panelHead}>
          <h2>{title}</h2>
          {note ? <small>{note}</small> : null}
          {actions}
        </header>
      ) : null}
      {isFlush ? children : <div className={styles.panelBody}>{children}</div>}
    </section>
  )
}

/** A section that loads its content when the user opens it. */
export function Fold({
  title,
  note,
  children,
}: {
  title: string
  note?: string
  children: ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      className={styles.fold}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        {title}
        {note ? <small>{note}</small> : null}
      </summary>
      {isOpen ? children : null}
    </details>
  )
}

/** Content that can exceed the page width. Focusable, so keyboard users can scroll it. */
export function Scrolled({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <section className={styles.scrolled} aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}

/** An empty page: the state, its reason and the next step. */
export function Empty({
  title,
  isPage = false,
  children,
}: {
  title: string
  /** True if it is the whole page, so its title is the main heading. */
  isPage?: boolean
  children?: ReactNode
}) {
  return (
    <div className={styles.empty}>
      {isPage ? <h1>{title}</h1> : <h2>{title}</h2>}
      {children}
    </div>
  )
}

/** A shortened name; copying gives the full name. */
export function Copied({
  text,
  shown = text,
  label,
  look = 'text',
}: {
  text: string
  shown?: string
  label: string
  look?: 'text' | 'button'
}) {
  const [isCopied, setCopied] = useState(false)
  return (
    <button
      type="button"
      className={look === 'button' ? styles.button : styles.copy}
      title={`Copy ${text}`}
      aria-label={`${label} ${shown}, copy`}
      onClick={() => {
        void navigator.clipboard?.writeText(text).then(() => setCopied(true))
      }}
      onBlur={() => setCopied(false)}
    >
      {isCopied ? 'Copied' : shown}
    </button>
  )
}

/** Copies a text that the page shows next to it. */
export function CopyButton({ text, name }: { text: string; name: string }) {
  const [isCopied, setCopied] = useState(false)
  return (
    <Button
      isSmall
      aria-label={isCopied ? `${name} copied` : `Copy: ${name}`}
      onClick={() => void navigator.clipboard?.writeText(text).then(() => setCopied(true))}
      onBlur={() => setCopied(false)}
    >
      {isCopied ? 'Copied' : 'Copy'}
    </Button>
  )
}

/** A time in UTC, or its age if the age matters. */
export function Time({ at, isAge = false }: { at: string; isAge?: boolean }) {
  const age = ageOf(at, Date.now())
  return (
    <time dateTime={at} title={isAge ? utcOf(at) : `${utcOf(at)}, ${age}`}>
      {isAge ? age : minuteOf(at)}
    </time>
  )
}

export function Progress({ pips, label }: { pips: number; label: string }) {
  return (
    <div
      className={styles.bar}
      role="progressbar"
      aria-label={label}
      aria-valuenow={Math.round(pips / 10_000)}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <span style={{ inlineSize: `${pips / 10_000}%` }} />
    </div>
  )
}
