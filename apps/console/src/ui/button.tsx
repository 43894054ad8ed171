import { type ButtonHTMLAttributes, type ReactNode, useId } from 'react'
import { useAwaySince } from '../api/connection.ts'
import { Icon } from './icons.tsx'
import styles from './ui.module.css'

type Look = 'plain' | 'primary' | 'danger' | 'quiet'

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  look?: Look
  icon?: string
  isSmall?: boolean
  /** Why it cannot be pressed, in words; null where it can. */
  refusal?: string | null
  children: ReactNode
}

const classOf = (look: Look, isSmall: boolean) =>
  [styles.button, look === 'plain' ? '' : styles[look], isSmall ? styles.small : ''].join(' ')

/** A button that stays where it is when it cannot be pressed, and says why. */
export function Button({
  look = 'plain',
  icon,
  isSmall = false,
  refusal = null,
  children,
  ...rest
}: Props) {
  const why = useId()
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
  if (refusal === null) return button
  return (
    <span className={styles.withWhy}>
      {button}
      <span id={why} className={styles.why}>
        {refusal}
      </span>
    </span>
  )
}

/** The same for what changes something: nothing changes while the service cannot be reached. */
export function ChangeButton({ refusal = null, ...props }: Props) {
  const awaySince = useAwaySince()
  return (
    <Button {...props} refusal={awaySince === null ? refusal : 'The service is unreachable.'} />
  )
}
