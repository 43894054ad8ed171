import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useAssets, useMembership, useSymbols } from '../api/queries.ts'
import type { Item } from '../api/records.ts'
import { ApiFailure, ask } from '../api/send.ts'
import { permissionReason, stateReason } from '../declared/disabled-reasons.ts'
import { familyOfId } from '../declared/families.ts'
import { listTarget, pageSearch, recordTarget } from '../declared/pages.ts'
import { resolve } from '../declared/schema.ts'
import type { FamilyFile, OperationFile } from '../declared/types.ts'
import { pairIn, UnitsContext, unitsOf, unitsOfKeys } from '../fields/units.tsx'
import type { SearchParams } from '../routes.tsx'
import { Button, ChangeButton } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { useOpenPage } from '../ui/page-link.tsx'
import { Copied, Panel } from '../ui/parts.tsx'
import { Members } from './field.tsx'
import styles from './form.module.css'
import { FormContext } from './form-context.ts'
import { forgetBody, handedBody } from './handed-body.ts'
import { helpText } from './help-text.ts'
import { type Intent, intentAfter, intentFor } from './intent.ts'
import { Refused } from './refused.tsx'
import { ShownRequest } from './shown-request.tsx'
import { blankOf, type Json, type JsonObject, withMember } from './value.ts'

interface Props {
  file: FamilyFile
  operation: OperationFile
  /** Prefilled values from the URL. */
  given: Readonly<Record<string, string>>
  record?: Item
  etag?: string | null
}

/**
 * A form for one operation, generated from its schema. Users can review the request before they
 * send it.
 */
export function OperationForm({ file, operation, given, record, etag = null }: Props) {
  const { organizationId, role } = useMembership()
  const navigate = useNavigate()
  const openPage = useOpenPage()
  const search = useSearch({ strict: false }) as SearchParams
  const queries = useQueryClient()
  const symbols = useSymbols()
  const assetOf = useAssets()
  const form = useRef<HTMLFormElement>(null)
  const { schema } = resolve(operation.body ?? {}, file.defs)
  const [body, setBody] = useState<Json>(
    () => handedBody(operation.id) ?? firstBody(file, operation, given, record, etag),
  )
  useEffect(() => forgetBody(operation.id), [operation.id])
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const [fault, setFault] = useState<unknown>(null)
  const [answer, setAnswer] = useState<Json | null>(null)
  const [isSending, setSending] = useState(false)
  const intent = useRef<Intent | null>(null)
  useEffect(() => form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus(), [])
  const faults = useMemo(() => faultsOf(fault), [fault])
  useEffect(() => {
    if (Object.keys(faults).length > 0)
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [faults])
  const params = useMemo(() => {
    const [name] = Object.keys(operation.params)
    return name && record ? { [name]: String(record.id) } : {}
  }, [operation, record])
  const request = {
    params,
    ...(operation.body ? { body } : {}),
    ...(operation.precondition && etag ? { ifMatch: etag } : {}),
  }
  const pair = pairIn(body) ?? pairIn(record?.payload)
  const close = () => void navigate({ to: '.', search: pageSearch(search) as never })
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (isSending || Object.keys(typed).length > 0) return
    const wanted = intentFor(intent.current, JSON.stringify(request))
    intent.current = wanted
    setSending(true)
    setFault(null)
    try {
      const reply = await ask<{ data?: Json } | null>(organizationId, operation, {
        ...request,
        idempotencyKey: wanted.key,
      })
      intent.current = null
      await queries.invalidateQueries({ queryKey: [organizationId] })
      const data = reply.body?.data ?? null
      const id = data !== null && typeof data === 'object' && !Array.isArray(data) ? data.id : null
      const entry =
        typeof id === 'string' && !('secret' in (data as object)) ? familyOfId(id) : null
      if (typeof id === 'string' && entry?.isListed) {
        void openPage(recordTarget(entry, id))
      } else if (data === null) void openPage(listTarget(file.entry))
      // A record without a page appears in the parent record, which already shows the result.
      else if (record && isOtherRecord(data)) close()
      else setAnswer(data)
    } catch (error) {
      intent.current = intentAfter(wanted, error)
      setFault(error)
    } finally {
      setSending(false)
    }
  }
  const disabledReason =
    permissionReason(role, operation.permission) ??
    (record ? stateReason(file, operation.id, record) : null) ??
    (Object.keys(typed).length > 0 ? 'Correct the marked fields.' : isSending ? 'Sending…' : null)
  const title = file.actions[operation.id]?.label ?? operation.summary
  if (answer !== null) return <OperationResult title={title} answer={answer} onClose={close} />
  return (
    <div className={styles.place}>
      <Panel
        title={title}
        actions={
          <Button isSmall look="quiet" icon="x" onClick={close}>
            Close
          </Button>
        }
      >
        <form ref={form} className={styles.form} onSubmit={(event) => void send(event)} noValidate>
          <p className={styles.intro}>{helpText(operation.description) || operation.summary}</p>
          {fault === null ? null : (
            <Refused
              error={fault}
              onRead={() =>
                void queries.invalidateQueries({ queryKey: [organizationId, file.entry.key] })
              }
            />
          )}
          <FormContext
            value={{
              defs: file.defs,
              faults,
              onTyped: (path, problem) =>
                setTyped(({ [path]: _old, ...others }) =>
                  problem === null ? others : { ...others, [path]: problem },
                ),
            }}
          >
            <UnitsContext
              value={
                pair ? unitsOf(pair, symbols) : unitsOfKeys({ body, of: record?.payload }, assetOf)
              }
            >
              {operation.body ? (
                <Members
                  path=""
                  schema={schema}
                  value={body}
                  onChange={setBody}
                  hidden={['resourceVersion']}
                />
              ) : null}
            </UnitsContext>
          </FormContext>
          <div className={styles.end}>
            <ChangeButton
              type="submit"
              look="primary"
              disabledReason={disabledReason}
              onClick={() => {}}
            >
              {title}
            </ChangeButton>
            {operation.example?.body !== undefined && !record ? (
              <Button onClick={() => setBody(operation.example?.body as Json)}>
                Fill with example
              </Button>
            ) : null}
          </div>
          <ShownRequest operation={operation} request={request} />
        </form>
      </Panel>
    </div>
  )
}

/**
 * Initial form values: required members, the current record for a change, and values from the URL.
 */
function firstBody(
  { defs }: FamilyFile,
  { body, method }: OperationFile,
  given: Readonly<Record<string, string>>,
  record: Item | undefined,
  etag: string | null,
): Json {
  const { schema } = resolve(body ?? {}, defs)
  let first: Json = blankOf(schema, defs) ?? {}
  const payload = resolve(schema.properties?.payload, defs).schema
  if (record && method === 'PATCH' && payload.properties) {
    const now = (record.payload ?? {}) as Record<string, Json>
    const validNames = Object.keys(payload.properties).filter(
      (name) => now[name] !== undefined && now[name] !== null,
    )
    first = withMember(
      first,
      'payload',
      Object.fromEntries(validNames.map((name) => [name, now[name] as Json])),
    )
  }
  if (etag !== null && schema.properties?.resourceVersion)
    first = withMember(first, 'resourceVersion', etag)
  if (given.address && payload.properties?.address) {
    const before = (first as JsonObject).payload
    first = withMember(first, 'payload', withMember(before, 'address', given.address))
  }
  if (given.token && payload.properties?.identifier) {
    const before = (first as JsonObject).payload
    const identifier = { query: given.token }
    first = withMember(first, 'payload', withMember(before, 'identifier', identifier))
  }
  return first
}

const isOtherRecord = (data: Json): boolean =>
  typeof data === 'object' &&
  data !== null &&
  ['resourceType', 'resourceVersion', 'payload'].every((name) => name in data) &&
  !('secret' in data)

const faultsOf = (error: unknown): Readonly<Record<string, readonly string[]>> => {
  const fieldErrors = error instanceof ApiFailure ? error.body?.error?.fieldErrors : undefined
  // The service gives body paths from the root or from `body`.
  return Object.fromEntries(
    Object.entries(fieldErrors ?? {}).map(([path, faults]) => [
      path.replace(/^body\.|\[(\d+)\]/g, (_all, at) => (at === undefined ? '' : `.${at}`)),
      faults,
    ]),
  )
}

/** Shows a response that has no record page. A secret appears here once only. */
function OperationResult({
  title,
  answer,
  onClose,
}: {
  title: string
  answer: Json
  onClose: () => void
}) {
  const secret =
    typeof answer === 'object' && answer !== null && !Array.isArray(answer)
      ? answer.secret
      : undefined
  return (
    <div className={styles.place}>
      <Panel
        title={`${title}: complete`}
        actions={
          <Button isSmall onClick={onClose}>
            Close
          </Button>
        }
      >
        {typeof secret === 'string' ? (
          <Notice tone="warn" title="Copy the secret now. You cannot view it again.">
            <p>
              <Copied text={secret} label="Secret" />
            </p>
          </Notice>
        ) : null}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
        <pre className={styles.answer} tabIndex={0}>
          {JSON.stringify(answer, (name, value) => (name === 'secret' ? '(above)' : value), 2)}
        </pre>
      </Panel>
    </div>
  )
}
