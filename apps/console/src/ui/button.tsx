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
  disabledReason?: string | null
  /** ID of an element that already shows the reason. */
  disabledReasonId?: string
  children: ReactNode
}

const classOf = (look: Look, isSmall: boolean) =>
  [styles.button, look === 'plain' ? '' : styles[look], isSmall ? styles.small : ''].join(' ')

/** A button that stays visible when disabled and states the reason. */
export function Button({
  look = 'plain',
  icon,
  isSmall = false,
  disabledReason = null,
  disabledReasonId,
  children,
  ...rest
}: Props) {
  const ownId = useId()
  const reasonId = disabledReasonId ?? ownId
  const button = (
    <button
      type="button"
      {...rest}
      className={classOf(look, isSmall)}
      aria-disabled={disabledReason === null ? undefined : true}
      aria-describedby={disabledReason === null ? undefined : reasonId}
      onClick={(event) => {
        if (disabledReason === null) rest.onClick?.(event)
        else event.preventDefault()
      }}
    >
      {icon ? <Icon name={icon} /> : null}
      {children}
    </button>
  )
  if (disabledReason === null || disabledReasonId !== undefined) return button
  return (
    <span className={styles.withReason}>
      {button}
      <span id={reasonId} className={styles.reason}>
        {disabledReason}
      </span>
    </span>
  )
}

/** A button for changes; disabled while the service is unreachable. */
export function ChangeButton({ disabledReason = null, ...props }: Props) {
  const awaySince = useAwaySince()
  return (
    <Button
      {...props}
      disabledReason={awaySince === null ? disabledReason : 'The service is unreachable.'}
    />
  )
}
