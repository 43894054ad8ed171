import type { contract } from '@liquidity-os/contract'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import type { Run } from '../records.ts'
import { openJson } from '../sealed-json.ts'
import { wordsFault } from './faithful-words.ts'

/** Sealed wordings of a model, one per sentence of a narrative; null if the template applies. */
export interface SealedWords {
  /**
   * Version 1 let a model change the order of a sentence, and so its meaning. Its wordings are
   * not shown.
   */
  readonly wordsVersion: 'narration-words-v1' | 'narration-words-v2'
  readonly draftHash: string
  readonly words: readonly (string | null)[]
}

/**
 * Wordings of the sentences of a report, and whether each is faithful to its template. Null if the
 * run has no wordings.
 */
export interface NarrationWords {
  readonly words: (string | null)[]
  readonly areFaithful: boolean | null
}

/** @throws Error where sealed words are missing or other */
export async function readNarrationWords(
  records: TenantRecords,
  { narration, draftHash }: Run,
  { narrative }: contract.AgentRunResult['report'],
): Promise<NarrationWords> {
  const { sentences } = narrative
  if (!narration?.wordsHash) return { words: sentences.map(() => null), areFaithful: null }
  const sealed = openJson<SealedWords>(await records.artifact(narration.wordsHash))
  if (sealed.wordsVersion !== 'narration-words-v2') {
    return { words: sentences.map(() => null), areFaithful: null }
  }
  const areFaithful =
    sealed.draftHash === draftHash &&
    sealed.words.length === sentences.length &&
    sentences.every(({ text }, index) => {
      const words = sealed.words[index]
      return words == null || wordsFault(text, words) === null
    })
  return { words: [...sealed.words], areFaithful }
}

/** Narration of a run without a language model. */
export const templatesOnly: contract.Narration = {
  status: 'TEMPLATES',
  reason: null,
  provider: null,
  model: null,
  attempts: 0,
  faults: [],
  wordsHash: null,
}
