import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useMembership } from './queries.ts'
import type { Job } from './records.ts'

/**
 * Progress events of the job on a record, oldest first, from page load on. Reloads the record when
 * the job ends.
 *
 * @param isWatched whether to listen at all: each user can open only a few streams
 */
export function useJobEvents(subjectId: string, isWatched: boolean): readonly Job[] {
  const { organizationId } = useMembership()
  const queries = useQueryClient()
  const [jobs, setJobs] = useState<readonly Job[]>([])
  useEffect(() => {
    if (!isWatched) return
    setJobs([])
    const stream = new EventSource(`/auth/organizations/${organizationId}/job-events`)
    stream.addEventListener('job', ({ data }: MessageEvent<string>) => {
      const job = JSON.parse(data) as Job
      if (job.subject.id !== subjectId) return
      setJobs((before) => [...before.slice(1 - maxReported), job])
      if (!open.has(job.status)) void queries.invalidateQueries({ queryKey: [organizationId] })
    })
    return () => stream.close()
  }, [organizationId, subjectId, isWatched, queries])
  return jobs
}

const open = new Set(['QUEUED', 'RUNNING'])
/** Per job. A study of 100,000 paths emits 501 events; the chart shows the last few. */
const maxReported = 12
