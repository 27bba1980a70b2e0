"""Every kind of signed request once, against a test service: python3 sign_everything.py http://localhost:3000 KEY1 KEY2

KEY1 and KEY2 are two of the institute's keys; the devnet writes them to institute-keys.json in its data directory.
Each section is independent: take the one that you need.
"""

import hashlib
import secrets
import sys
import time
from datetime import datetime, timedelta, timezone

if "-h" in sys.argv or "--help" in sys.argv:
    print(__doc__)
    sys.exit()
if len(sys.argv) != 4:
    sys.exit(__doc__)  # to stderr, with the status 1

from perpetua import Key, Perpetua, PerpetuaError, token_of

service = Perpetua(sys.argv[1])
first_institute_key, second_institute_key = sys.argv[2:]


def domain():
    return f"river-{secrets.token_hex(6)}.bsp"


def show(name, response):
    """Prints the name in the operation table and the transaction. Store the receipt, the salt and links: they are returned once."""
    print(name, response["transactionId"])
    return response


# --- A person ----------------------------------------------------------------------------------------------------------


def new_person():
    key = Key()
    fields = {"domain": domain(), "publicKey": key.public_key, "recovery": None}
    created = show("createBEO", service.operate(key, "createBEO", fields, path="/api/relayer/beo"))
    return key, created["beo_id"]


def lifecycle():
    key, beo = new_person()
    new_key = Key()
    rotation = {"beoId": beo, "newPublicKey": new_key.public_key}
    show("rotateBEOKey", service.operate(key, "rotateKey", rotation, path="/api/relayer/beo/rotate-key"))
    own = {"beoId": beo}
    reason = {"reason": "The phone is lost."}  # sent, but not signed
    show("lockBEO", service.operate(new_key, "lockBEO", own, path="/api/relayer/beo/lock", unsigned=reason))
    show("unlockBEO", service.operate(new_key, "unlockBEO", own, path="/api/relayer/beo/unlock"))
    show("destroyBEO", service.operate(new_key, "destroyBEO", own, path="/api/relayer/beo/destroy"))


# --- Guardians and recovery --------------------------------------------------------------------------------------------


def accept(key, beo, link):
    path = f"/api/guardian/accept/{token_of(link)}"
    invitation = service.get(path)["invitation_id"]
    fields = {"invitationId": invitation, "beoId": beo, "publicKey": key.public_key}
    return show("acceptGuardian", service.operate(key, "acceptGuardian", fields, path=path))["guardian_id"]


def confirm(key, beo, new_public_key, link):
    path = f"/api/guardian/confirm-recovery/{token_of(link)}"
    fields = {"requestId": service.get(path)["request_id"], "beoId": beo, "newPublicKey": new_public_key}
    return show("confirmRecovery", service.operate(key, "confirmRecovery", fields, path=path))


def guardians():
    key, beo = new_person()
    ana, rui = Key(), Key()
    own = {"beoId": beo}
    invitation = {**own, "name": "Ana", "contact": "ana@example.org", "role": "primary"}
    invited = show("inviteGuardian", service.operate(key, "inviteGuardian", invitation, path="/api/guardian/invite"))
    ana_id = accept(ana, beo, invited["url"])
    recovery = {
        "guardians": [
            {"guardian_id": ana_id, "role": "primary"},
            {"name": "Rui", "contact": "rui@example.org", "role": "secondary", "public_key": rui.public_key},
        ]
    }
    change = {**own, "recovery": recovery}
    updated = show("updateBEORecovery", service.operate(key, "updateRecovery", change, path="/api/relayer/beo/recovery"))
    rui_id = accept(rui, beo, updated["invitations"][0]["url"])
    confirmation = {**own, "guardianId": ana_id, "publicKey": ana.public_key}
    show("confirmGuardian", service.operate(key, "confirmGuardian", confirmation, path="/api/guardian/confirm"))
    path = "/api/guardian/require-confirmed"
    show("requireConfirmedGuardians", service.operate(key, "requireConfirmedGuardians", own, path=path))
    service.signed_post(key, "listGuardians", "/api/guardian/list", own)
    guarded = service.signed_post(ana, "listGuarded", "/api/guardian/guarded", {"publicKey": ana.public_key})["guarded"]
    unused = Key().public_key
    practice = service.signed_post(key, "startPractice", "/api/guardian/practise", {**own, "newPublicKey": unused})
    link = next(link["url"] for link in practice["links"] if link["guardian_id"] == ana_id)
    practised = {"practiceId": practice["practice_id"], "newPublicKey": unused}
    service.signed_post(ana, "practiseRecovery", f"/api/guardian/practise/{token_of(link)}", practised)
    challenge = {"guardianId": ana_id, "challenge": guarded[0]["challenge"]}
    service.signed_post(ana, "attestGuardian", "/api/guardian/attest", challenge)

    # Somebody asks for a recovery and deceives a guardian: the holder cancels it.
    def ask(new_key):
        request = {**own, "newPublicKey": new_key.public_key}
        opened = service.signed_post(new_key, "requestRecovery", "/api/relayer/beo/request-recovery", request)
        return opened["request_id"], {link["role"]: link["url"] for link in opened["links"]}

    new_key = Key()
    request_id, links = ask(new_key)
    confirm(ana, beo, new_key.public_key, links["primary"])
    cancellation = {**own, "requestId": request_id}
    path = "/api/relayer/beo/cancel-recovery"
    show("cancelRecovery", service.operate(key, "cancelRecovery", cancellation, path=path))

    # It cancels another request before a guardian confirms it: that needs no entry, and has no receipt.
    request_id, _ = ask(new_key)
    closed = service.signed_post(key, "cancelRecovery", path, {**own, "requestId": request_id})
    assert closed["receipt"] is None

    # The key is lost: the guardians move the identity to a new one.
    _, links = ask(new_key)
    confirm(ana, beo, new_key.public_key, links["primary"])
    assert confirm(rui, beo, new_key.public_key, links["secondary"])["executed"]
    resignation = {**own, "guardianId": rui_id}
    show("resignGuardian", service.operate(rui, "resignGuardian", resignation, path="/api/guardian/resign"))


# --- An institution ----------------------------------------------------------------------------------------------------


def new_institution():
    key = Key()
    fields = {"domain": domain(), "ieoType": "LAB", "displayName": "Laboratório São José", "publicKey": key.public_key}
    created = show("createIEO", service.operate(key, "createIEO", fields, path="/api/ieo"))
    return key, created["ieo_id"]


def institution():
    key, ieo = new_institution()
    own = {"ieoId": ieo}
    contacts = {**own, "apiEndpoint": "https://lab.example/api", "webhookUrl": None}
    show("updateIEOContacts", service.operate(key, "updateContacts", contacts, path="/api/ieo/contacts"))
    show("updateIEORecovery", service.operate(key, "updateRecovery", {**own, "recovery": None}, path="/api/ieo/recovery"))
    show("lockIEO", service.operate(key, "lockIEO", own, path="/api/ieo/lock"))
    show("unlockIEO", service.operate(key, "unlockIEO", own, path="/api/ieo/unlock"))
    certification_request(key, ieo)
    consent_request(key, ieo)
    decisions(ieo)
    new_key = Key()
    rotation = {**own, "newPublicKey": new_key.public_key}
    show("rotateIEOKey", service.operate(key, "rotateKey", rotation, path="/api/ieo/rotate-key"))
    show("destroyIEO", service.operate(new_key, "destroyIEO", own, path="/api/ieo/destroy"))


def certification_request(key, ieo):
    """What an institution asks the institute for. These requests are signed, single-use and not recorded."""
    path = "/api/ieo/certification-request"
    asked = {"ieoId": ieo, "level": "ADVANCED", "categories": ["BSP-CV"], "grounds": "ISO 15189, certificate 4711."}
    service.signed_post(key, "requestCertification", path, asked)
    service.signed_post(key, "withdrawCertificationRequest", f"{path}/withdraw", {"ieoId": ieo})
    at = service.signed_post(key, "requestCertification", path, asked)["request"]["requested_at"]
    answer = {"ieoId": ieo, "requestedAt": at, "reason": "It has expired."}
    declined = service.decide(first_institute_key, f"{path}/decline", answer)
    assert declined["request"]["status"] == "DECLINED"
    state = service.signed_post(key, "readCertificationRequest", f"{path}/read", {"ieoId": ieo})
    print("readCertificationRequest", state["request"]["reason"])


def consent_request(key, ieo):
    """A request for a consent travels in a link; the service keeps it where it is too long for a QR code."""
    wish = {
        "ieoId": ieo,
        "scope": {"intents": ["READ_RECORDS"], "categories": ["BSP-HM"]},
        "expiresInDays": 30,
        "purpose": "To prepare your appointment.",
        "reference": "A-1234",
        "validUntil": (datetime.now(timezone.utc) + timedelta(days=7)).isoformat(timespec="milliseconds"),
        "once": False,
    }
    kept = service.signed_post(key, "askConsent", "/api/consent/requests", wish)
    state = service.get(f"/api/consent/requests/{kept['request_id']}")
    print("askConsent", state["used"])


def decisions(ieo):
    """The institute's: authorized by its keys, not signed."""
    level = {"ieoId": ieo, "level": "ADVANCED", "categories": ["BSP-CV"]}
    show("updateCertification", service.decide(first_institute_key, "/api/ieo/certification", level))
    proposal = {
        "action": "suspendIEO",
        "params": {"ieoId": ieo, "reason": "A complaint."},
        "justification": "It was found to be true.",
    }
    opened = show("openProposal", service.decide(first_institute_key, "/api/ieo/approve", proposal))
    approval = {"proposalId": opened["proposal"]["proposal_id"]}
    assert show("approveProposal", service.decide(second_institute_key, "/api/ieo/approve", approval))["executed"]


# --- Shares ------------------------------------------------------------------------------------------------------------


def shares():
    """A SMART Health Link: the service gets encrypted files only. This one is encrypted under a published key."""
    key, beo = new_person()
    file = (
        "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwiY3R5IjoiYXBwbGljYXRpb24vZmhpcitqc29uIn0..CQkJCQkJCQkJCQkJ.XK"
        "f28c2ftBPDB59Blo-B5fbyFp1QgpLiQ4wy36URI0DxhoivjjdJZBbcyzQ5.ui5usDh4n_OOQmSTL-fBfQ"
    )
    fields = {
        "beoId": beo,
        "label": "Second opinion",
        "exp": int(time.time()) + 86_400,
        "openings": 3,
        "passcodeDigest": None,
        "fileDigests": [hashlib.sha256(file.encode()).hexdigest()],
    }
    created = service.signed_post(key, "createShare", "/api/shares", fields, unsigned={"files": [file]})
    share = created["share"]["share_id"]
    listed = service.signed_post(key, "listShares", "/api/shares/list", {"beoId": beo})
    assert listed["shares"][0]["label"] == "Second opinion"
    stopped = service.signed_post(key, "stopShare", "/api/shares/stop", {"beoId": beo, "shareId": share})
    print("stopShare", stopped["share"]["status"])


# --- Consent and records -----------------------------------------------------------------------------------------------


def exchange():
    holder, beo = new_person()
    laboratory, ieo = new_institution()
    grant = {
        "beoId": beo,
        "ieoId": ieo,
        "scope": {"intents": ["SUBMIT_RECORD", "READ_RECORDS", "EXPORT_DATA"], "categories": ["BSP-CV"]},
        "expiresInDays": 30,
    }
    granted = show("grantConsent", service.operate(holder, "grantConsent", grant, path="/api/relayer/consent"))
    token = granted["token"]["token_id"]

    use = {"targetBeo": beo, "consentToken": token}
    # 1.0, 1e-07 and 4.35 are written differently by json.dumps and by JavaScript; canonical_json writes them alike.
    values = [1.0, 1e-07, 4.35, 87.5, 123456789.125]
    records = [
        {"biomarker": "BSP-CV-001", "value": value, "unit": "mg/dL", "collected_at": f"2026-03-04T05:06:0{second}Z"}
        for second, value in enumerate(values)
    ]
    submission = {**use, "records": records}
    show("submitRecords", service.operate(laboratory, "submitRecords", submission, path="/api/exchange/records"))
    page = service.signed_get(laboratory, "readRecords", "/api/exchange/records", use, categories="BSP-CV", limit=10)
    assert sorted(record["value"] for record in page["records"]) == sorted(values)
    export = {**use, "format": "FHIR_R4"}
    service.signed_post(holder, "sovereignExport", "/api/exchange/export", export)
    service.signed_post(holder, "listAccess", "/api/exchange/access", {"beoId": beo, "cursor": None})
    service.signed_get(laboratory, "listReceived", "/api/consent/received", {"ieoId": ieo}, limit=10)
    events = service.signed_get(laboratory, "readEvents", "/api/events", {"ieoId": ieo}, limit=10)
    assert [event["type"] for event in events["events"]] == ["consent.granted"]
    webhook(laboratory, ieo, events["events"][0])

    # A field that is part of the address is signed too; the body may leave it out or repeat it.
    path = f"/api/consent/{token}"
    show("revokeToken", service.operate(holder, "revokeToken", {"tokenId": token}, "DELETE", path))
    from_institution = {"beoId": beo, "ieoId": ieo}
    path = f"/api/consent/ieo/{ieo}"
    show("revokeAllFromIEO", service.operate(holder, "revokeAllFromIEO", from_institution, "DELETE", path))
    by_intent = {"beoId": beo, "intent": "READ_RECORDS"}
    path = "/api/consent/intent/READ_RECORDS"
    show("revokeByIntent", service.operate(holder, "revokeByIntent", by_intent, "DELETE", path))
    show("revokeAllTokens", service.operate(holder, "revokeAllTokens", {"beoId": beo}, path="/api/relayer/beo/revoke-all"))


def webhook(laboratory, ieo, event):
    """The delivery of events. These requests are signed, single-use and not recorded."""
    own = {"ieoId": ieo}
    contacts = {**own, "apiEndpoint": None, "webhookUrl": "https://lab.example/events"}
    show("updateIEOContacts", service.operate(laboratory, "updateContacts", contacts, path="/api/ieo/contacts"))
    path = "/api/events/webhook"
    while (state := service.signed_post(laboratory, "readWebhook", path, own))["cursor"] is None:
        assert state["status"] != "OFF", "this service sends no events"
        time.sleep(0.2)  # delivery begins shortly after the address was set
    print("readWebhook", state["status"])
    requests = [
        ("pauseWebhook", "pause", {}),
        ("resumeWebhook", "resume", {}),
        ("testWebhook", "test", {}),
        ("resendEvent", "resend", {"eventId": event["id"], "at": event["at"]}),
        ("replayEvents", "replay", {"from": "2020-01-01T00:00:00Z", "until": None}),
    ]
    for function, action, fields in requests:
        state = service.signed_post(laboratory, function, f"{path}/{action}", {**own, **fields})
        print(function, state["status"])


def refusal():
    """An error has a code: decide by it, not by its sentence."""
    key, beo = new_person()
    try:
        service.operate(key, "unlockBEO", {"beoId": beo}, path="/api/relayer/beo/unlock")
    except PerpetuaError as error:
        assert (error.code, error.status) == ("NOT_LOCKED", 409), error.code


for section in (lifecycle, guardians, institution, shares, exchange, refusal):
    section()
