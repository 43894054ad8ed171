import { parsePastedMarket } from '@liquidity-os/contract/market-page'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { type Membership, type VenueLine, venuesQuery } from '../api/queries.ts'
import { read } from '../api/send.ts'
import { families, familyOfId, familyOfType, permits } from '../declared/families.ts'
import { areas, listTarget, recordTarget, type Target } from '../declared/pages.ts'
import { Icon } from '../ui/icons.tsx'
import { toList, toPage, toRecord, useOpenPage } from '../ui/page-link.tsx'
import styles from './shell.module.css'

interface Choice {
  key: string
  icon: string
  text: string
  note: string
  to: Target
}

/** Possible meanings of the search text, most likely first. */
export function choicesOf(
  typed: string,
  membership: Membership,
  venues: readonly VenueLine[],
): Choice[] {
  const text = typed.trim()
  const entry = familyOfId(text)
  if (entry && /_[0-9a-f]{32}$/.test(text)) {
    return [
      {
        key: text,
        icon: entry.icon,
        text: `Open ${entry.one}`,
        note: text,
        to: recordTarget(entry, text),
      },
    ]
  }
  const pasted = parsePastedMarket(text, null)
  if (pasted !== null) {
    const address = pasted.toLowerCase()
    const own = venues.filter(({ payload: { address: at, pair } }) =>
      [at, pair.base, pair.quote].some((one) => one.toLowerCase() === address),
    )
    return [
      ...own.map(({ id, payload }) => ({
        key: id,
        icon: 'droplets',
        text: payload.name,
        note: 'Your venue',
        to: toRecord('venues', id),
      })),
      {
        key: 'watch',
        icon: 'plus',
        text: 'Watch market',
        note: 'Index a pool, or find the pools of a token',
        to: toPage('markets/new', { address: text }),
      },
      {
        key: 'follow',
        icon: 'bookmark',
        text: 'Follow token',
        note: 'Token profile, pools and changes',
        to: toList('projects', { form: 'savePublicProject', token: pasted }),
      },
    ]
  }
  if (/^0x[0-9a-fA-F]{64}$/.test(text)) {
    return [
      {
        key: 'transaction',
        icon: 'receipt',
        text: 'Analyze transaction',
        note: 'Execution cost analysis (TCA)',
        to: toList('attributions', { form: 'createAttributions', txHash: text }),
      },
    ]
  }
  const pages: Choice[] = [
    {
      key: 'home',
      icon: 'house',
      text: 'Home',
      note: 'Alerts, approvals and jobs',
      to: toPage(''),
    },
    ...areas.map(({ path, label, icon, summary }) => ({
      key: path,
      icon,
      text: label,
      note: summary,
      to: toPage(path),
    })),
    {
      key: 'study-ranges',
      icon: 'sliders-horizontal',
      text: 'Compare ranges',
      note: 'LP ranges vs HODL on market history',
      to: toPage('studies/new'),
    },
    {
      key: 'set-up',
      icon: 'plus',
      text: 'Watch a market',
      note: 'Connect a node, select a market and index it',
      to: toPage('markets/new'),
    },
    ...families
      .filter((one) => permits(membership.role, one.permission))
      .map((one) => ({
        key: one.key,
        icon: one.icon,
        text: one.task,
        note: one.summary,
        to: listTarget(one),
      })),
    ...venues.map(({ id, payload }) => ({
      key: id,
      icon: 'droplets',
      text: payload.name,
      note: 'Venue',
      to: toRecord('venues', id),
    })),
  ]
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return pages.filter(({ text: name, note }) =>
    words.every((word) => `${name} ${note}`.toLowerCase().includes(word)),
  )
}

interface Found {
  records: { id: string; resourceType: string; name: string; status: string }[]
}

/** Records whose name matches the search text, requested when typing pauses. */
function useRecordsNamed(typed: string, { organizationId }: Membership): Choice[] {
  const [name, setName] = useState('')
  useEffect(() => {
    const rest = setTimeout(() => setName(typed.trim()), 200)
    return () => clearTimeout(rest)
  }, [typed])
  const isName = name.length >= 2 && name.length <= 80 && !/^0x|_[0-9a-f]{32}$/.test(name)
  const { data } = useQuery({
    queryKey: [organizationId, 'records', 'named', name],
    queryFn: () => read<Found>(organizationId, '/records', { name }),
    enabled: isName && name.split(/\s+/).length <= 8,
  })
  if (name !== typed.trim()) return []
  return (data?.records ?? []).flatMap(({ id, resourceType, name: text, status }) => {
    const entry = familyOfType(resourceType)
    if (!entry) return []
    const note = `${entry.one}, ${status.toLowerCase()}`
    const to = recordTarget(entry, id)
    return [{ key: id, icon: entry.icon, text, note, to }]
  })
}

/** Search for pages and records; identifies a pasted address, hash or ID. */
export function Palette({ membership, onClose }: { membership: Membership; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const openPage = useOpenPage()
  const list = useId()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const { data: venues = [] } = useQuery(venuesQuery(membership.organizationId))
  const named = useRecordsNamed(typed, membership)
  const pages = choicesOf(typed, membership, venues)
  const found = named.filter(({ key }) => pages.every((page) => page.key !== key))
  const choices = [...pages.slice(0, found.length > 0 ? 8 : 12), ...found].slice(0, 16)
  useEffect(() => dialog.current?.showModal(), [])
  const go = (choice: Choice | undefined) => {
    if (!choice) return
    onClose()
    void openPage(choice.to)
  }
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      setAt((now) => (now + step + choices.length) % Math.max(choices.length, 1))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      go(choices[at])
    }
  }
  return (
    <dialog ref={dialog} className={styles.palette} aria-label="Search" onClose={onClose}>
      <div className={styles.paletteField}>
        <Icon name="search" size={18} />
        <input
          role="combobox"
          aria-label="Search or paste an address"
          aria-expanded="true"
          aria-controls={list}
          aria-activedescendant={choices[at] ? `${list}-${at}` : undefined}
          placeholder="Page, record name, address, transaction or ID"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setAt(0)
          }}
          onKeyDown={onKey}
        />
      </div>
      <div id={list} role="listbox" aria-label="Results" tabIndex={-1} className={styles.found}>
        {choices.map((choice, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys of the whole list
          <div
            key={choice.key}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === at}
            tabIndex={-1}
            onClick={() => go(choice)}
            onPointerMove={() => setAt(index)}
          >
            <Icon name={choice.icon} />
            <span>{choice.text}</span>
            <small>{choice.note}</small>
          </div>
        ))}
      </div>
      {choices.length === 0 ? (
        <p className={styles.none}>No matches. Paste a full address, hash or ID.</p>
      ) : null}
    </dialog>
  )
}
