-- Included first by every command.
-- Milliseconds. A waiter near the front asks again every POLL; CLAIM > 2 POLL and ENTRY >= 3 POLL, so that one lost message costs
-- it nothing of its turn. waiters.lua says how those behind differ. MEMORY: for how long a holder that is over is remembered, so that its late requests find it GONE.
local POLL, LONGEST_POLL, CLAIM, ENTRY, MEMORY = 500, 5000, 1250, 1750, 60000

-- All numbers become text by this, because '..' keeps 14 digits only.
local function text(number)
  return string.format('%.0f', number)
end

-- What has been read so far; the common cases need little of it.
local value, waiting, time, present, counted
