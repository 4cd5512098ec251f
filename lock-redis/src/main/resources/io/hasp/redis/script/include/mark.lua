-- The mark of a lock whose client may keep it without a use: its label begins with that client's channel, ^channel^. It is on the server
-- only as long as the client answers a recall. So a refused client sends a recall there before it treats the lock as in use.

-- The channel in the mark of a label; nil if there is none.
local function marked(label)
  return string.match(label, '^%^([^%^]+)%^')
end

local function unmarked(label)
  return (string.gsub(label, '^%^[^%^]+%^', ''))
end

-- Recalls a marked lock from its client. True if the client's channel has a listener.
local function recall(lock, owner, label)
  local channel = marked(label)
  local heard = channel and redis.pcall('PUBLISH', channel, 'R|' .. owner .. '|' .. lock)
  return type(heard) == 'number' and heard > 0
end
