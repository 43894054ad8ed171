import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useChange } from '../../api/changes.ts'
import { useMembership } from '../../api/queries.ts'
import { read } from '../../api/send.ts'
import { permissionReason } from '../../declared/disabled-reasons.ts'
import { wordOf } from '../../fields/meaning.ts'
import formStyles from '../../forms/form.module.css'
import { ChangeButton } from '../../ui/button.tsx'
import { Fault } from '../../ui/notice.tsx'
import { PageLink, toList } from '../../ui/page-link.tsx'
import { Skeleton } from '../../ui/parts.tsx'
import styles from '../pages.module.css'

interface Channel {
  readonly id: string
  readonly payload: { readonly kind: string; readonly label: string; readonly target: string }
}
interface Tested {
  readonly delivered: boolean
  readonly message: string
}

/** Channels by name, a test message for each, and a new email channel. */
export function ChannelChoice({
  chosen,
  onChange,
}: {
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}) {
  const { organizationId, role } = useMembership()
  const { change, post, fault, isSending } = useChange()
  const [tested, setTested] = useState<Readonly<Record<string, Tested>>>({})
  const channels = useQuery({
    queryKey: [organizationId, 'alert-channels', 'active'],
    queryFn: () =>
      read<Channel[]>(organizationId, '/alert-channels', { status: 'ACTIVE', limit: 100 }),
  })
  if (channels.error)
    return <Fault error={channels.error} onRetry={() => void channels.refetch()} />
  if (!channels.data) return <Skeleton lines={2} />
  const toggle = (id: string) =>
    onChange(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
  const test = (id: string) =>
    void change(async () => {
      const body = { reason: 'Test from the console' }
      const result = await post<Tested>({ path: `/alert-channels/${id}/test`, body })
      setTested((before) => ({ ...before, [id]: result }))
    })
  const add = (address: string) =>
    void change(async () => {
      const { id } = await post<Channel>({
        path: '/alert-channels',
        body: {
          payload: { label: address, target: { kind: 'EMAIL', address } },
          reason: 'Added in the console',
        },
      })
      onChange([...chosen, id])
    })
  return (
    <fieldset className={styles.choices}>
      <legend>Send to</legend>
      {channels.data.length === 0 ? <p>No channels yet.</p> : null}
      <ul className={styles.lines}>
        {channels.data.map(({ id, payload }) => (
          <li key={id}>
            <label>
              <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />
              {payload.label}
            </label>
            <small>{tested[id]?.message ?? `${wordOf(payload.kind)}, ${payload.target}`}</small>
            <ChangeButton
              isSmall
              disabledReason={permissionReason(role, 'operate') ?? (isSending ? 'Sending…' : null)}
              onClick={() => test(id)}
            >
              Send test
            </ChangeButton>
          </li>
        ))}
      </ul>
      <NewEmail isSending={isSending} onAdd={add} />
      {fault === null ? null : <Fault error={fault} />}
    </fieldset>
  )
}

function NewEmail({ isSending, onAdd }: { isSending: boolean; onAdd: (address: string) => void }) {
  const { role } = useMembership()
  const id = useId()
  const [address, setAddress] = useState('')
  const isAddress = /^\S+@\S+\.\S+$/.test(address.trim())
  return (
    <div className={formStyles.field}>
      <label htmlFor={id}>New email channel</label>
      <div className={styles.actions}>
        <input
          id={id}
          type="email"
          placeholder="team@example.com"
          value={address}
          onChange={({ target }) => setAddress(target.value)}
        />
        <ChangeButton
          icon="plus"
          disabledReason={
            permissionReason(role, 'operate') ??
            (isSending ? 'Saving…' : isAddress ? null : 'Enter an email address.')
          }
          onClick={() => {
            onAdd(address.trim())
            setAddress('')
          }}
        >
          Add
        </ChangeButton>
      </div>
      <p className={formStyles.help}>
        <PageLink to={toList('alert-channels', { form: 'createAlertChannel' })}>
          Slack, Telegram, PagerDuty or webhook
        </PageLink>
      </p>
    </div>
  )
}
