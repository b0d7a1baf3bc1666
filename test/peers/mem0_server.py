"""Serves mem0 over MCP on stdio, with its vectors in a folder: mem0_server.py FOLDER

mem0 is a library, and what it has for MCP wants a key of its cloud. Here it keeps what it
is given as it is (infer=False), because the model that would extract facts wants a key, too.
"""

import json
import os
import sys

folder = sys.argv[1]
os.environ["MEM0_TELEMETRY"] = "False"
os.environ["MEM0_DIR"] = folder
os.environ["OPENAI_API_KEY"] = "none"  # the client of the model is made, and never called

from mem0 import Memory  # noqa: E402: reads the environment

memory = Memory.from_config(
    {
        "vector_store": {
            "provider": "qdrant",
            "config": {"path": folder + "/qdrant", "on_disk": True, "embedding_model_dims": 384},
        },
        "embedder": {"provider": "fastembed", "config": {"model": "BAAI/bge-small-en-v1.5"}},
        "history_db_path": folder + "/history.db",
    }
)
mine = {"user_id": "somebody"}
tools = {
    "add": lambda text: memory.add(text, infer=False, **mine),
    "search": lambda query, limit: memory.search(query, filters=mine, top_k=limit),
    "all": lambda limit: memory.get_all(filters=mine, top_k=limit),
}


def answer(method, params):
    if method == "initialize":
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "mem0", "version": "1"}}
    if method == "tools/list":
        return {"tools": []}
    result = tools[params["name"]](**params["arguments"])
    return {"content": [{"type": "text", "text": json.dumps(result, default=str)}]}


for line in sys.stdin:
    request = json.loads(line)
    if "id" not in request:
        continue
    reply = {"jsonrpc": "2.0", "id": request["id"]}
    try:
        reply["result"] = answer(request["method"], request["params"])
    except Exception as e:
        reply["error"] = {"code": -32603, "message": str(e)}
    print(json.dumps(reply), flush=True)
