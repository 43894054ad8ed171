import type { contract } from '@liquidity-os/contract'
import { canonicalize, sha256Hex, signArtifact } from '@liquidity-os/evidence'
import type { JobEnd, JobRun } from '../../../jobs/job-run.ts'
import { limits } from '../../../limits.ts'
import { ConflictError } from '../../../store/database/database.ts'
import { emptyChange } from '../../../store/records/change.ts'
import { storedVersion } from '../../../store/records/stored-version.ts'
import { brandHostOf } from './brand.ts'
import { readChainProofs } from './chain-proofs.ts'
import type { SignedArtifact } from './open-passport.ts'
import { passports } from './records.ts'
import { rendererBuildHash } from './rendering/build-hash.ts'
import type { RenderedFile, RenderTask } from './rendering/render-task.ts'

interface File extends Omit<RenderedFile, 'format'> {
  readonly format: string
}

/**
 * Renders a publication in a thread, signs each file and registers the files as immutable objects.
 */
export default async function registerArtifacts(run: JobRun): Promise<JobEnd> {
  const { records, services, subject, now } = run
  const named = { id: subject.id, resourceVersion: subject.resourceVersion }
  const { payload } = await storedVersion<contract.LiquidityPassport>(
    records,
    'LiquidityPassport',
    named,
  )
  const { vault: bound } = payload.sourceBindings
  const vault = await storedVersion<contract.QualifiedVault>(records, 'QualifiedVault', bound)
  const brandHost = await brandHostOf(services, payload)
  const task: RenderTask = { payload, pair: vault.payload.pair, brandHost }
  const rendered = await services.reporting.run<RenderedFile[]>(
    new URL('./rendering/render-task.ts', import.meta.url),
    task,
    run.signal,
  )
  const json: File = {
    format: 'json',
    variant: 'document',
    mediaType: 'application/json',
    content: Buffer.from(canonicalize(payload)),
  }
  const files: File[] = [json, ...rendered]
  const key = await services.signingKeys.current(now)
  const artifacts = files.map((file) => signArtifact(statementOf(payload, file), key))
  const proofs = await readChainProofs(run, payload, vault.payload)
  const contents = [...files.map(contentOf), ...proofs.files.map(contentOf)]
  await keep(run, contents, {
    contentHash: payload.contentHash,
    artifacts,
    chainProofs: proofs.files.map(({ content }) => hashOf(content)),
  })
  return {
    change: emptyChange(run.organizationId, now),
    result: {
      contentHash: payload.contentHash,
      gaps: proofs.gaps,
      artifacts: artifacts.map(({ statement }) => ({
        format: statement.format,
        variant: statement.variant,
        sha256: statement.sha256,
      })),
    },
  }
}

const hashOf = (content: Uint8Array) => `0x${sha256Hex(content)}`

const contentOf = ({ content, mediaType }: Pick<File, 'content' | 'mediaType'>) => ({
  contentHash: hashOf(content),
  mediaType,
  content,
})

function statementOf(
  { contentHash, artifactRendererVersion }: contract.LiquidityPassport,
  { format, variant, mediaType, content }: File,
): SignedArtifact['statement'] {
  return {
    passportContentHash: contentHash,
    format,
    variant,
    mediaType,
    byteLength: content.length,
    sha256: hashOf(content),
    rendererVersion: artifactRendererVersion,
    rendererBuildHash: rendererBuildHash(),
  }
}

/** Once per publication for any number of job runs; a passport event can come in between. */
async function keep(
  { records, services, subject }: JobRun,
  files: readonly ReturnType<typeof contentOf>[],
  note: { contentHash: string } & Readonly<Record<string, unknown>>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const registered = await records.events(subject.id, {
      kinds: ['passport.artifacts_registered'],
    })
    if (registered.some(({ payload }) => payload.contentHash === note.contentHash)) return
    const current = await passports.current(records, subject.id)
    if (!current) throw new Error(`Passport ${subject.id} does not exist.`)
    try {
      const change = records.note(current, 'passport.artifacts_registered', note)
      const artifacts = files.map((file) => ({ ...file, producer: subject }))
      await services.committer.commit({ ...change, artifacts })
      return
    } catch (error) {
      if (!(error instanceof ConflictError) || attempt === limits.contentionAttempts) throw error
    }
  }
}
