import { type ButtonHTMLAttributes, type ReactNode, useId } from 'react'
import { useAwaySince } from '../api/connection.ts'
import { Icon } from './icons.tsx'
import styles from './ui.module.css'

type Look = 'plain' | 'primary' | 'danger' | 'quiet'

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  look?: Look
  icon?: string
  isSmall?: boolean
  /** Reason the button is disabled, or null. */
  refusal?: string | null
  /** ID of an element that already shows the reason. */
  refusalId?: string
  children: ReactNode
}

const classOf = (look: Look, isSmall: boolean) =>
  [styles.button, look === 'plain' ? '' : styles[look], isSmall ? styles.small : ''].join(' ')

/** A button that stays visible when disabled and states the reason. */
export function Button({
  look = 'plain',
  icon,
  isSmall = false,
  refusal = null,
  refusalId,
  children,
  ...rest
}: Props) {
  const ownId = useId()
  const why = refusalId ?? ownId
  const button = (
    <button
      type="button"
      {...rest}
      className={classOf(look, isSmall)}
      aria-disabled={refusal === null ? undefined : true}
      aria-describedby={refusal === null ? undefined : why}
      onClick={(event) => {
        if (refusal === null) rest.onClick?.(event)
        else event.preventDefault()
      }}
    >
      {icon ? <Icon name={icon} /> : null}
      {children}
    </button>
  )
  if (refusal === null || refusalId !== undefined) return button
  return (
    <span className={styles.withWhy}>
      {button}
      <span id={why} className={styles.why}>
        {refusal}
      </span>
    </span>
  )
}

/** A button for changes; disabled while the service is unreachable. */
export function ChangeButton({ refusal = null, ...props }: Props) {
  const awaySince = useAwaySince()
  return (
    <Button {...props} refusal={awaySince === null ? refusal : 'The service is unreachable.'} />
  )
}
