import type { contract } from '@liquidity-os/contract'
import type { PassportDraft } from '@liquidity-os/contract/passport-draft'
import { useId, useState } from 'react'
import { useChange } from '../../api/changes.ts'
import { useMembership } from '../../api/queries.ts'
import { ApiFailure } from '../../api/send.ts'
import { permissionReason } from '../../declared/disabled-reasons.ts'
import { timeText, utcOf } from '../../fields/numbers.ts'
import formStyles from '../../forms/form.module.css'
import { handBody } from '../../forms/handed-body.ts'
import { Refused } from '../../forms/refused.tsx'
import type { Json } from '../../forms/value.ts'
import { Button, ChangeButton } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toList, toRecord, useOpenPage } from '../../ui/page-link.tsx'
import { CopyButton, Panel } from '../../ui/parts.tsx'
import ui from '../../ui/ui.module.css'
import { saveText } from '../csv.ts'
import styles from '../pages.module.css'
import { readSignedPassport } from './signed-file.ts'

const reason = 'Published in the console'
/** The service accepts a passport for this time after its generation. */
const signingMilliseconds = 600_000

/** Codes of a publication whose evidence changed after the download. */
const changedCodes: ReadonlySet<string> = new Set([
  'LIQUIDITY_PASSPORT_CLAIM_MISMATCH',
  'LIQUIDITY_PASSPORT_FRESHNESS_WINDOW',
  'LIQUIDITY_PASSPORT_PROVIDER_GENERATION',
  'LIQUIDITY_PASSPORT_SOURCE_BINDING',
])

/**
 * The issuer downloads the passport, signs it with its own key, and publishes the signed file. The
 * console never reads the key.
 */
export function SignAndPublish({
  draft,
  isBlocked,
  ifMatch,
}: {
  draft: PassportDraft | null
  isBlocked: boolean
  /** Version of the earlier passport under the same name. */
  ifMatch: string | undefined
}) {
  const { role } = useMembership()
  const openPage = useOpenPage()
  const { change, send, fault, isSending, forget } = useChange()
  const [unsigned, setUnsigned] = useState<PassportDraft | null>(null)
  const [signed, setSigned] = useState<contract.LiquidityPassport | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [downloads, setDownloads] = useState(0)
  const fieldId = useId()
  const disabledReason = permissionReason(role, 'publish')
  const missing = isBlocked ? 'Resolve the blockers first.' : 'Complete the fields above.'
  const download = () => {
    if (draft === null) return
    forget()
    setProblem(null)
    setSigned(null)
    setUnsigned(draft)
    setDownloads((count) => count + 1)
    saveText(`${draft.slug}.json`, JSON.stringify(draft, null, 2), 'application/json')
  }
  const choose = async (file: File | undefined) => {
    forget()
    setSigned(null)
    setProblem(null)
    if (!file || unsigned === null) return
    try {
      setSigned(readSignedPassport({ name: file.name, text: await file.text() }, unsigned))
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  const publish = (payload: contract.LiquidityPassport) =>
    void change(async () => {
      const { passport } = await send<{ passport: { id: string } }>({
        method: 'POST',
        path: '/passports',
        body: { payload, reason },
        ...(ifMatch === undefined ? {} : { ifMatch }),
      })
      await openPage(toRecord('passports', passport.id))
    })
  const openForm = () => {
    const payload = (signed ?? unsigned ?? draft) as unknown as Json
    handBody('publishLiquidityPassport', { payload, reason })
    void openPage(toList('passports', { form: 'publishLiquidityPassport' }))
  }
  const command = `npx liquidity passport sign ${unsigned?.slug ?? 'passport'}.json --key issuer.pem > signed.json`
  const until =
    unsigned && new Date(Date.parse(unsigned.generatedAt) + signingMilliseconds).toISOString()
  return (
    <Panel title="Sign and publish">
      <ol className={styles.calls}>
        <li>
          <p>Download the passport.</p>
          <Button
            icon="download"
            look={
              unsigned === null && draft !== null && disabledReason === null ? 'primary' : 'plain'
            }
            disabledReason={disabledReason ?? (draft === null ? missing : null)}
            onClick={download}
          >
            {unsigned === null ? 'Download passport' : 'Download again'}
          </Button>
        </li>
        <li>
          <p>
            Sign it with the issuer key on your computer. The key never reaches this service.
            {until === null ? null : ` Publish before ${timeText(until)}.`}
          </p>
          <div className={ui.row}>
            <code className={styles.command}>{command}</code>
            <CopyButton text={command} name="command" />
          </div>
        </li>
        <li>
          <div className={formStyles.field}>
            <label htmlFor={fieldId}>Choose the signed file</label>
            <input
              key={downloads}
              id={fieldId}
              type="file"
              accept=".json,application/json"
              disabled={unsigned === null}
              onChange={({ target }) => void choose(target.files?.[0])}
            />
          </div>
          {problem === null ? null : <Notice tone="bad" title={problem} />}
          {signed === null ? null : (
            <p role="status">
              Signed passport of {signed.issuerName}, {signed.slug}, valid until{' '}
              {utcOf(signed.validUntil)}.
            </p>
          )}
        </li>
      </ol>
      <div className={styles.actions}>
        <ChangeButton
          look={signed === null ? 'plain' : 'primary'}
          icon="shield-check"
          disabledReason={
            disabledReason ??
            (isSending
              ? 'Publishing…'
              : draft === null
                ? missing
                : signed === null
                  ? 'Choose the signed file first.'
                  : null)
          }
          onClick={() => (signed === null ? undefined : publish(signed))}
        >
          Publish passport
        </ChangeButton>
        <Button disabledReason={draft === null ? missing : null} onClick={openForm}>
          Open as full form
        </Button>
      </div>
      {fault === null ? null : fault instanceof ApiFailure && changedCodes.has(fault.code) ? (
        <Notice tone="warn" title="The evidence changed after the download">
          <p>Download the passport again, sign it, and publish it within 10 minutes.</p>
        </Notice>
      ) : (
        <Refused error={fault} onRead={download} />
      )}
    </Panel>
  )
}
