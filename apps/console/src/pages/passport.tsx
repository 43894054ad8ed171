import type { contract } from '@liquidity-os/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useMembership } from '../api/queries.ts'
import type { Item } from '../api/records.ts'
import { ask, read } from '../api/send.ts'
import { index } from '../declared/families.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icons.tsx'
import { Fault } from '../ui/notice.tsx'
import { Copied, Panel, Progress } from '../ui/parts.tsx'
import ui from '../ui/ui.module.css'
import styles from './pages.module.css'
import { type CheckResult, checkLine, parseResult, serviceLine } from './passport-check.ts'

/** State of a passport, its public link and bundle, and a check in this browser. */
export function PassportSummary({ item }: { item: Item }) {
  const { slug, validUntil, contentHash } = item.payload as contract.LiquidityPassport
  const [isChecking, setChecking] = useState(false)
  const [result, setResult] = useState<CheckResult | null>(null)
  const path = `/public/passports/${encodeURIComponent(slug)}`
  const url = `${window.location.origin}${index.basePath}${path}`
  const line = serviceLine({ state: String(item.status), validUntil }, Date.now())
  const files = useFiles(item)
  return (
    <Panel title="Verification">
      <div className={styles.verification}>
        <p>{line}</p>
        {files === null || files.ready === files.total ? null : (
          <div>
            <p role="status">
              Creating files… {files.ready} of {files.total}. The check and the bundle work when all
              are ready.
            </p>
            <Progress pips={Math.floor((1_000_000 * files.ready) / files.total)} label="Files" />
          </div>
        )}
        <p role="status">
          <strong>{checkLine(result)}</strong>
        </p>
        <p className={styles.actions}>
          <Button look="primary" icon="shield-check" onClick={() => setChecking(true)}>
            Check here
          </Button>
          <a className={ui.button} href={`${index.basePath}${path}/verification-bundle`} download>
            <Icon name="download" />
            Download bundle
          </a>
          <Copied text={url} shown="Copy public link" label="Passport:" look="button" />
          <a href={url} target="_blank" rel="noreferrer">
            Public page
          </a>
        </p>
        {isChecking ? (
          <Checker key={contentHash} path={`${path}/verification-bundle`} onResult={setResult} />
        ) : null}
      </div>
    </Panel>
  )
}

/**
 * Files of the published version: its formats and its entry in the proof log. Null if the version is
 * not public.
 */
function useFiles({ payload, status }: Item): { ready: number; total: number } | null {
  const { organizationId } = useMembership()
  const { slug, contentHash } = payload as contract.LiquidityPassport
  const view = useQuery({
    queryKey: [organizationId, 'public-passport', slug, contentHash],
    queryFn: () =>
      read<contract.PublicLiquidityPassport>(
        organizationId,
        `/public/passports/${encodeURIComponent(slug)}`,
      ),
    enabled: status === 'ACTIVE',
    refetchInterval: ({ state: { data } }) =>
      data && countReady(data) < data.formats.length + 1 ? 2_000 : false,
  })
  const { data } = view
  if (!data || data.contentHash !== contentHash) return null
  return { ready: countReady(data), total: data.formats.length + 1 }
}

const countReady = ({ formats, log }: contract.PublicLiquidityPassport): number =>
  formats.filter(({ ready }) => ready).length + (log === null ? 0 : 1)

/**
 * The verification page in a frame without access to this page. It gets the bundle and returns the
 * result; its origin is null, so its window identifies it.
 */
function Checker({ path, onResult }: { path: string; onResult: (result: CheckResult) => void }) {
  const { organizationId } = useMembership()
  const frame = useRef<HTMLIFrameElement>(null)
  const [isLoaded, setLoaded] = useState(false)
  const bundle = useQuery({
    queryKey: [organizationId, 'verification-bundle', path],
    queryFn: () =>
      ask<Uint8Array<ArrayBuffer>>(
        organizationId,
        { id: 'verificationBundle', method: 'GET', path, isBytes: true },
        {},
      ).then(({ body }) => body),
    staleTime: Number.POSITIVE_INFINITY,
  })
  useEffect(() => {
    const receive = ({ source, data }: MessageEvent) => {
      if (source === null || source !== frame.current?.contentWindow) return
      const result = parseResult(data)
      if (result) onResult(result)
    }
    window.addEventListener('message', receive)
    return () => window.removeEventListener('message', receive)
  }, [onResult])
  useEffect(() => {
    if (!isLoaded || !bundle.data) return
    frame.current?.contentWindow?.postMessage({ type: 'bundle', bytes: bundle.data }, '*')
  }, [isLoaded, bundle.data])
  if (bundle.error) return <Fault error={bundle.error} onRetry={() => void bundle.refetch()} />
  return (
    <>
      <p>
        Checked in this browser, by a page that reaches neither the network nor this console. Enter
        the fingerprint that you got from the issuer to check its key.
      </p>
      <iframe
        ref={frame}
        className={styles.checker}
        title="Verification of the passport"
        src="/verify.html"
        sandbox="allow-scripts allow-downloads"
        onLoad={() => setLoaded(true)}
      />
    </>
  )
}
