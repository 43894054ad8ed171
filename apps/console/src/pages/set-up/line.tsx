import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import formStyles from '../../forms/form.module.css'
import { ChangeButton } from '../../ui/button.tsx'

/** A text input with a submit button; the service response appears below. */
export function Line({
  label,
  help,
  value,
  action,
  disabledReason,
  type = 'text',
  placeholder,
  needsCorrection = false,
  onSend,
}: {
  label: string
  help: ReactNode
  value: string
  action: string
  disabledReason: string | null
  type?: 'text' | 'url'
  placeholder: string
  /** Selects the text once the sent value needs a correction. */
  needsCorrection?: boolean
  onSend: (text: string) => void
}) {
  const id = useId()
  const [text, setText] = useState(value)
  const input = useRef<HTMLInputElement>(null)
  const [isMissing, setMissing] = useState(false)
  useEffect(() => {
    if (!needsCorrection) return
    input.current?.focus()
    input.current?.select()
  }, [needsCorrection])
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (disabledReason !== null) return
    setMissing(text.trim() === '')
    if (text.trim() === '') input.current?.focus()
    else onSend(text.trim())
  }
  return (
    <form className={formStyles.field} onSubmit={send} noValidate>
      <label htmlFor={id}>{label}</label>
      <div className={formStyles.entry}>
        <input
          id={id}
          ref={input}
          type={type}
          value={text}
          placeholder={placeholder}
          aria-describedby={`${id}-help`}
          aria-invalid={isMissing}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => {
            setText(target.value)
            setMissing(false)
          }}
        />
        <ChangeButton
          type="submit"
          look="primary"
          disabledReason={disabledReason}
          onClick={() => {}}
        >
          {action}
        </ChangeButton>
      </div>
      <p id={`${id}-help`} className={formStyles.help}>
        {isMissing ? <strong>Enter a value. </strong> : null}
        {help}
      </p>
    </form>
  )
}
