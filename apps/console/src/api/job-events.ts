import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { usePlace } from './queries.ts'
import type { Job } from './records.ts'

/**
 * What the service tells of the job that works on a record, as it tells it, oldest first; what was told before the page was
 * opened is not among it. When the job has ended, the record is read anew.
 *
 * @param isWatched whether to listen at all: a stream is one of few that a user may have open
 */
export function useJobEvents(subjectId: string, isWatched: boolean): readonly Job[] {
  const { organizationId } = usePlace()
  const queries = useQueryClient()
  const [told, setTold] = useState<readonly Job[]>([])
  useEffect(() => {
    if (!isWatched) return
    setTold([])
    const stream = new EventSource(`/auth/organizations/${organizationId}/job-events`)
    stream.addEventListener('job', ({ data }: MessageEvent<string>) => {
      const job = JSON.parse(data) as Job
      if (job.subject.id !== subjectId) return
      setTold((before) => [...before.slice(1 - maxReported), job])
      if (!open.has(job.status)) void queries.invalidateQueries({ queryKey: [organizationId] })
    })
    return () => stream.close()
  }, [organizationId, subjectId, isWatched, queries])
  return told
}

const open = new Set(['QUEUED', 'RUNNING'])
/** Of one job: a study of 100,000 paths tells something 501 times, and the picture shows the last few. */
const maxReported = 12
